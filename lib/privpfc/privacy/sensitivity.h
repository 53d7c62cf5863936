#pragma once

#include <cstdint>

#include "privpfc/base/contract.h"

namespace privpfc {

// What a mechanism is told about its input. Nothing here has a default: a wrong one would be
// silent.

// By how much, summed over all cells, one row more or less can change the counts.
class L1Sensitivity {
 public:
  static constexpr std::uint64_t kMost = 1ULL << 32;

  explicit L1Sensitivity(std::uint64_t value) : value_(value) {
    require(0 < value && value <= kMost, "a sensitivity lies between 1 and 2^32");
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

// hi - lo, where one row more changes every candidate's score by something in [lo, hi], in units of
// the score. Not the sensitivity max(|lo|, |hi|): see selection.md.
class ScoreRange {
 public:
  explicit ScoreRange(std::uint64_t width) : width_(width) {
    require(width > 0, "a score that cannot change needs no mechanism");
  }
  std::uint64_t width() const { return width_; }

 private:
  std::uint64_t width_;
};

}  // namespace privpfc
