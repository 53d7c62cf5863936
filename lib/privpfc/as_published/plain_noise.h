#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

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

// The place of a draw with probabilities proportional to exp(weight * score); the best score if
// `weight` is not finite.
inline std::size_t draw_exponential(std::span<const double> scores, double weight,
                                    PlainNoise& noise) {
  const bool greedy = std::isinf(weight);
  std::size_t best = 0;
  double best_value = -HUGE_VAL;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double value = greedy ? scores[i] : weight * scores[i] + noise.gumbel();
    if (value > best_value) {
      best = i;
      best_value = value;
    }
  }
  return best;
}

}  // namespace privpfc
