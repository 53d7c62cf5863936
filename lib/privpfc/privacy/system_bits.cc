#include "privpfc/privacy/system_bits.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "privpfc/base/contract.h"

namespace privpfc {

// All state lives in one page that the kernel of the system hands to a forked child zeroed. All
// zeros mean "nothing buffered", so a child starts by reading fresh bits, however it was forked.
struct SystemBits::Page {
  std::uint64_t held;       // bits left over from the last word
  std::uint64_t held_bits;  // how many
  std::uint64_t unread;     // words[0, unread) were not handed out yet
  std::array<std::uint64_t, 509> words;
};

SystemBits::SystemBits() : page_(nullptr) {
  static_assert(sizeof(Page) == 4096);
  void* memory =
      mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(memory != MAP_FAILED, "no memory for the random bits");
  require(madvise(memory, sizeof(Page), MADV_WIPEONFORK) == 0,
          "this system cannot keep random bits from a forked child");
  madvise(memory, sizeof(Page), MADV_DONTDUMP);  // best effort: core dumps are off anyway
  page_ = static_cast<Page*>(memory);            // fresh anonymous memory is zero: empty
}

SystemBits::~SystemBits() {
  explicit_bzero(page_, sizeof(Page));
  munmap(page_, sizeof(Page));
}

void SystemBits::refill() {
  auto* to = reinterpret_cast<unsigned char*>(page_->words.data());
  std::size_t missing = sizeof(page_->words);
  while (missing > 0) {
    const ssize_t got = getrandom(to, missing, 0);
    if (got < 0 && errno == EINTR) continue;
    require(got > 0, "the system gives no randomness");
    to += got;
    missing -= static_cast<std::size_t>(got);
  }
  page_->unread = page_->words.size();
}

std::uint64_t SystemBits::bits(unsigned count) {
  require(1 <= count && count <= 64, "between 1 and 64 bits at a time");
  if (page_->held_bits < count) {
    // The few bits held are dropped, not mixed in: whether that happens depends on how many bits
    // were asked for, never on their values, so what remains is uniform.
    if (page_->unread == 0) refill();
    std::uint64_t& word = page_->words[--page_->unread];
    page_->held = word;
    page_->held_bits = 64;
    word = 0;
  }
  const std::uint64_t answer = count == 64 ? page_->held : page_->held & ((1ULL << count) - 1);
  page_->held = count == 64 ? 0 : page_->held >> count;
  page_->held_bits -= count;
  return answer;
}

}  // namespace privpfc
