#pragma once

#include <cstdint>

#include "privpfc/base/splitmix.h"
#include "privpfc/privacy/bit_source.h"

namespace privpfc {

// Seeded bits for experiments on data that may be seen in full: whoever knows the seed can take the
// noise off again. No command that writes a release can reach this room, and a test sees to it.
class ExperimentBits final : public BitSource {
 public:
  explicit ExperimentBits(std::uint64_t seed) : words_(seed) {}

  std::uint64_t bits(unsigned count) override {
    if (held_bits_ < count) {
      held_ = words_.next();
      held_bits_ = 64;
    }
    const std::uint64_t answer = count == 64 ? held_ : held_ & ((std::uint64_t{1} << count) - 1);
    held_ = count == 64 ? 0 : held_ >> count;
    held_bits_ -= count;
    return answer;
  }

 private:
  SplitMix words_;
  std::uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

}  // namespace privpfc
