#pragma once

#include <cstdint>

#include "privpfc/privacy/bit_source.h"

namespace privpfc {

// Seeded bits for experiments on data that may be seen in full: whoever knows the seed can take the
// noise off again. No command that writes a release can reach this room, and a test sees to it.
class ExperimentBits final : public BitSource {
 public:
  explicit ExperimentBits(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits(unsigned count) override {
    if (held_bits_ < count) {
      held_ = next_word();
      held_bits_ = 64;
    }
    const std::uint64_t answer = count == 64 ? held_ : held_ & ((std::uint64_t{1} << count) - 1);
    held_ = count == 64 ? 0 : held_ >> count;
    held_bits_ -= count;
    return answer;
  }

 private:
  std::uint64_t next_word() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }

  std::uint64_t state_;
  std::uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

}  // namespace privpfc
