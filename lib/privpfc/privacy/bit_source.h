#pragma once

#include <cstdint>

namespace privpfc {

// Where the randomness comes from. Every sampler takes one; there is no global generator.
class BitSource {
 public:
  BitSource() = default;
  BitSource(const BitSource&) = delete;
  BitSource& operator=(const BitSource&) = delete;
  virtual ~BitSource() = default;

  // Requires: 1 <= count <= 64.
  // Ensures: uniform below 2^count, independent of every other answer.
  virtual std::uint64_t bits(unsigned count) = 0;
};

}  // namespace privpfc
