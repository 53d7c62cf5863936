#pragma once

#include <cmath>
#include <cstdint>

namespace privpfc {

// Floating-point noise from a seed, as the papers' programs draw it: repeatable, and not private.
class PlainNoise {
 public:
  explicit PlainNoise(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }

  // In (0, 1).
  double unit() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }

  double exponential() { return -std::log(unit()); }

  double laplace(double scale) { return scale * (exponential() - exponential()); }

  // The largest of score + gumbel is a draw with probabilities proportional to exp(score).
  double gumbel() { return -std::log(exponential()); }

 private:
  std::uint64_t state_;
};

}  // namespace privpfc
