#pragma once

#include <cmath>
#include <cstdint>

#include "privpfc/base/splitmix.h"

namespace privpfc {

// Floating-point noise from a seed, as the papers' programs draw it: repeatable, and not private.
class PlainNoise {
 public:
  explicit PlainNoise(std::uint64_t seed) : numbers_(seed) {}

  std::uint64_t bits() { return numbers_.next(); }

  // In (0, 1).
  double unit() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }

  double exponential() { return -std::log(unit()); }

  double laplace(double scale) { return scale * (exponential() - exponential()); }

  // The largest of score + gumbel is a draw with probabilities proportional to exp(score).
  double gumbel() { return -std::log(exponential()); }

 private:
  SplitMix numbers_;
};

}  // namespace privpfc
