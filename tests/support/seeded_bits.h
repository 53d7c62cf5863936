#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "privpfc/privacy/bit_source.h"

namespace privpfc {

// xoshiro256**, seeded: the same test, the same bits. Nothing that ships may include this.
class SeededBits final : public BitSource {
 public:
  explicit SeededBits(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {  // splitmix64
      seed += 0x9e3779b97f4a7c15;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t bits(unsigned count) override {
    if (held_bits_ < count) {
      held_ = next_word();
      held_bits_ = 64;
    }
    const std::uint64_t answer = count == 64 ? held_ : held_ & ((1ULL << count) - 1);
    held_ = count == 64 ? 0 : held_ >> count;
    held_bits_ -= count;
    return answer;
  }

 private:
  std::uint64_t next_word() {
    const std::uint64_t answer = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return answer;
  }

  std::array<std::uint64_t, 4> state_{};
  std::uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

}  // namespace privpfc
