#pragma once

namespace privpfc {

// A Gaussian that is cut off at public bounds and scaled to mass 1 between them. `mean` and
// `deviation` are those before the cut: the mean may lie far outside.
struct TruncatedGaussian {
  double mean = 0;
  double deviation = 1;
};

// Nothing is narrower than this share of the width between the bounds, be it around a value within
// or against a bound: a single value does not get an endless density.
inline constexpr double kLeastDeviation = 1e-3;
// Beyond this many widths the deviation no longer shows: over the bounds, what is left is a
// straight line in the logarithm.
inline constexpr double kLargestDeviation = 4;

// The one of largest likelihood, with a deviation within these limits, for values between the
// bounds of which `mean` and `variance` (the mean squared distance from it) are given: the
// likelihood depends on nothing else. Values that crowd at both bounds are best fitted by the
// largest deviation. Requires low < high, and mean and variance finite; values that no table has
// (noise) are brought to the nearest that one may have.
TruncatedGaussian fit_truncated_gaussian(double low, double high, double mean, double variance);

// The logarithm of the mass of the standard normal between a and b, a < b, also far out in a tail
// where the mass itself vanishes.
double log_normal_mass(double a, double b);

}  // namespace privpfc
