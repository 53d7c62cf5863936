#include "privpfc/base/sha256.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "privpfc/base/sha256_blocks.h"

namespace privpfc {
namespace {

using Digest = std::array<unsigned char, crypto_hash_sha256_BYTES>;

// By the processor's own instructions.
class FastHash {
 public:
  void update(const unsigned char* bytes, std::size_t size) {
    if (size == 0) return;  // then the pointer may be null
    size_ += size;
    if (held_ > 0) {
      const std::size_t more = std::min(size, block_.size() - held_);
      std::memcpy(block_.data() + held_, bytes, more);
      held_ += more;
      bytes += more;
      size -= more;
      if (held_ < block_.size()) return;
      internal::sha256_blocks(state_.data(), block_.data(), 1);
      held_ = 0;
    }
    internal::sha256_blocks(state_.data(), bytes, size / block_.size());
    held_ = size % block_.size();
    if (held_ > 0) std::memcpy(block_.data(), bytes + size - held_, held_);
  }

  // A bit, zeros up to 8 bytes before the end of a block, and the length in bits.
  Digest finish() {
    const std::uint64_t bits = 8 * size_;
    std::array<unsigned char, 72> end{0x80};
    const std::size_t padding = 1 + (119 - held_) % 64;
    for (std::size_t i = 0; i < 8; ++i) {
      end[padding + i] = static_cast<unsigned char>(bits >> (56 - 8 * i));
    }
    update(end.data(), padding + 8);
    Digest digest{};
    for (std::size_t i = 0; i < digest.size(); ++i) {
      digest[i] = static_cast<unsigned char>(state_[i / 4] >> (24 - 8 * (i % 4)));
    }
    return digest;
  }

 private:
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t held_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace

struct Sha256::State {
  bool fast = internal::has_sha256_instructions();
  FastHash fast_hash{};
  crypto_hash_sha256_state hash{};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  crypto_hash_sha256_init(&state_->hash);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (state_->fast) {
    state_->fast_hash.update(bytes, text.size());
  } else {
    crypto_hash_sha256_update(&state_->hash, bytes, text.size());
  }
}

std::string Sha256::finish_hex() {
  Digest digest{};
  if (state_->fast) {
    digest = state_->fast_hash.finish();
  } else {
    crypto_hash_sha256_final(&state_->hash, digest.data());
  }
  std::string hex(2 * digest.size() + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), digest.data(), digest.size());
  hex.pop_back();
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish_hex();
}

}  // namespace privpfc
