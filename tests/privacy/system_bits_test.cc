#include "privpfc/privacy/system_bits.h"

#include <doctest/doctest.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <set>
#include <vector>

#include "support/chi_square.h"
#include "support/stops.h"

using namespace privpfc;

namespace {
enum class Trouble { kNone, kFails, kNothing, kInterruptedAndShort };
Trouble trouble = Trouble::kNone;
}  // namespace

// The linker sends the kernel's calls of getrandom here (--wrap), so that they can be made to fail.
extern "C" ssize_t __real_getrandom(void* to, size_t size, unsigned flags);  // NOLINT
extern "C" ssize_t __wrap_getrandom(void* to, size_t size, unsigned flags);  // NOLINT
extern "C" ssize_t __wrap_getrandom(void* to, size_t size, unsigned flags) {
  static bool interrupt = false;
  switch (trouble) {
    case Trouble::kFails:
      errno = ENOSYS;
      return -1;
    case Trouble::kNothing:
      return 0;
    case Trouble::kInterruptedAndShort:
      interrupt = !interrupt;
      if (interrupt) {
        errno = EINTR;
        return -1;
      }
      return __real_getrandom(to, size < 7 ? size : 7, flags);
    case Trouble::kNone:
      break;
  }
  return __real_getrandom(to, size, flags);
}

TEST_CASE("the program stops when the system gives no randomness") {
  CHECK(stops_the_program([] {
    trouble = Trouble::kFails;
    SystemBits().bits(1);
  }));
  CHECK(stops_the_program([] {
    trouble = Trouble::kNothing;
    SystemBits().bits(1);
  }));
  CHECK_FALSE(stops_the_program([] { SystemBits().bits(1); }));
}

TEST_CASE("short and interrupted reads are completed") {
  trouble = Trouble::kInterruptedAndShort;
  SystemBits bits;
  std::set<std::uint64_t> words;
  for (int i = 0; i < 1500; ++i) words.insert(bits.bits(64));
  trouble = Trouble::kNone;
  CHECK(words.size() == 1500);  // a gap left in the buffer would repeat zeros
}

namespace {
using Words = std::array<std::uint64_t, 100>;

// What a child process draws.
Words in_a_child(Words (*draw)(SystemBits&), SystemBits* inherited) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    SystemBits own;
    const Words drawn = draw(inherited != nullptr ? *inherited : own);
    _exit(write(ends[1], drawn.data(), sizeof(drawn)) == sizeof(drawn) ? 0 : 1);
  }
  Words words{};
  REQUIRE(read(ends[0], words.data(), sizeof(words)) == sizeof(words));
  waitpid(pid, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return words;
}

template <unsigned kBits>
Words draw(SystemBits& bits) {
  Words words{};
  for (std::uint64_t& word : words) word = bits.bits(kBits);
  return words;
}
}  // namespace

TEST_CASE("mutant: a fixed seed: two sources, and two processes, never give the same words") {
  std::set<std::uint64_t> words;
  for (int source = 0; source < 20; ++source) {
    SystemBits bits;
    for (int i = 0; i < 600; ++i) words.insert(bits.bits(64));
  }
  CHECK(words.size() == 12'000);
  for (int process = 0; process < 2; ++process) {
    const Words drawn = in_a_child(draw<64>, nullptr);
    words.insert(drawn.begin(), drawn.end());
  }
  CHECK(words.size() == 12'200);
}

TEST_CASE("parent and child share no bits after a fork, nor do two children") {
  // Read part of a word before the fork: held bits must not be shared either.
  SystemBits bits;
  bits.bits(3);
  std::set<std::uint64_t> words;
  for (int child = 0; child < 2; ++child) {
    const Words drawn = in_a_child(draw<61>, &bits);  // what follows the three bits
    words.insert(drawn.begin(), drawn.end());
  }
  const Words drawn = draw<61>(bits);
  words.insert(drawn.begin(), drawn.end());
  CHECK(words.size() == 300);
}

TEST_CASE("every single bit of the system source is fair (chi-square, 1e-6 for all of them)") {
  SystemBits bits;
  std::array<std::uint64_t, 64> ones{};
  constexpr std::uint64_t draws = 200'000;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const std::uint64_t word = bits.bits(64);
    for (unsigned b = 0; b < 64; ++b) ones[b] += (word >> b) & 1;
  }
  for (const std::uint64_t count : ones) {
    CHECK_FALSE(chi_square({draws - count, count}, {0.5, 0.5}, 1e-6 / 64).rejects());
  }
}

TEST_CASE("bits read in small pieces are not handed out twice (chi-square, 1e-6)") {
  SystemBits bits;
  for (const unsigned width : {1U, 3U, 8U, 21U, 33U}) {
    const std::uint64_t low = width < 4 ? (1ULL << width) - 1 : 15;
    constexpr std::uint64_t draws = 100'000;
    std::uint64_t same = 0;
    std::uint64_t last = bits.bits(width) & low;
    for (std::uint64_t i = 0; i < draws; ++i) {
      const std::uint64_t next = bits.bits(width) & low;
      same += next == last ? 1 : 0;
      last = next;
    }
    const double p = 1 / static_cast<double>(low + 1);
    CAPTURE(width);
    CHECK_FALSE(chi_square({draws - same, same}, {1 - p, p}, 1e-6 / 5).rejects());
  }
}
