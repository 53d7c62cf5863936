#include "privpfc/classifiers/truncated_gaussian.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace privpfc {

namespace {

// The tail of the standard normal beyond x >= 0, over its density at x (Mills' ratio).
double mills_ratio(double x) {
  if (x < 10) {
    return std::erfc(x / std::numbers::sqrt2) * std::exp(x * x / 2) *
           std::sqrt(std::numbers::pi / 2);
  }
  // Laplace's continued fraction 1 / (x + 1 / (x + 2 / (x + ...))), from the inside.
  double rest = x;
  for (int k = 30; k > 0; --k) rest = x + k / rest;
  return 1 / rest;
}

// Everything below is about the width [0, 2], with density proportional to
// exp(-slope u - curvature u^2): an exponential family, whose likelihood is concave in both. Its
// moments are integrated: no differences of large numbers, wherever the mean before the cut is.
struct Shape {
  double slope = 0;
  double curvature = 0;  // 1 / (2 deviation^2)
};

struct Moments {
  double first = 0;
  double second = 0;
};

constexpr double kWidth = 2;
constexpr double kLeastHalves = kLeastDeviation * kWidth;
constexpr double kLargestHalves = kLargestDeviation * kWidth;

Moments moments_of(const Shape& shape) {
  // Where the exponent is at its largest, and where it has fallen by so much that the rest is nil.
  constexpr double kNil = 45;
  const double peak = std::clamp(-shape.slope / (2 * shape.curvature), 0.0, kWidth);
  const double steepness = shape.slope + 2 * shape.curvature * peak;  // 0 for a peak within
  // steepness d + curvature d^2 = kNil, for the distance d from the peak.
  const double reach =
      2 * kNil /
      (std::abs(steepness) + std::sqrt(steepness * steepness + 4 * shape.curvature * kNil));
  const double from = std::max(0.0, peak - reach);
  const double to = std::min(kWidth, peak + reach);
  // Gauss's rule with five nodes, in 24 equal pieces.
  static constexpr double kNodes[] = {-0.9061798459386640, -0.5384693101056831, 0,
                                      0.5384693101056831, 0.9061798459386640};
  static constexpr double kWeights[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                        0.4786286704993665, 0.2369268850561891};
  constexpr int kPieces = 24;
  const double half = (to - from) / (2 * kPieces);
  double mass = 0;
  Moments sums;
  for (int piece = 0; piece < kPieces; ++piece) {
    const double middle = from + (2 * piece + 1) * half;
    for (int node = 0; node < 5; ++node) {
      const double u = middle + kNodes[node] * half;
      const double d = u - peak;
      const double part = kWeights[node] * std::exp(-d * (steepness + shape.curvature * d));
      mass += part;
      sums.first += part * u;
      sums.second += part * u * u;
    }
  }
  return {sums.first / mass, sums.second / mass};
}

// The slope with which the cut-off density has this mean. The mean falls as the slope rises, so
// halving finds it; Newton's step (the slope's effect on the mean is the variance) is taken where
// it stays within.
double slope_with_mean(double curvature, double mean) {
  // At its steepest the density leaves the bound within the least deviation, both ways.
  double low = -2 / kLeastHalves - 2 * kWidth * curvature;
  double high = 2 / kLeastHalves;
  double slope = -2 * curvature * mean;
  for (int step = 0; step < 200; ++step) {
    const Moments moments = moments_of({slope, curvature});
    const double error = moments.first - mean;
    (error > 0 ? low : high) = slope;
    const double variance = moments.second - moments.first * moments.first;
    double next = slope + error / variance;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - slope) <= 1e-13 * (1 + std::abs(slope))) return next;
    slope = next;
  }
  return slope;
}

}  // namespace

double log_normal_mass(double a, double b) {
  if (a > 0) return log_normal_mass(-b, -a);
  const double root2 = std::numbers::sqrt2;
  if (b > 0) return std::log((std::erf(b / root2) - std::erf(a / root2)) / 2);
  // Both below the mean. By symmetry, between near and far above it: the density at `near` times a
  // difference of Mills' ratios.
  const double near = -b;
  const double far = -a;
  const double log_density = -near * near / 2 - std::log(2 * std::numbers::pi) / 2;
  const double fall = (far - near) * (far + near) / 2;
  if (fall < 1e-5 && far - near < 1e-5) return log_density + std::log(far - near) - fall / 2;
  return log_density + std::log(mills_ratio(near) - mills_ratio(far) * std::exp(-fall));
}

TruncatedGaussian fit_truncated_gaussian(double low, double high, double mean, double variance) {
  const double half = (high - low) / kWidth;
  const double first = std::clamp((mean - low) / half, kLeastHalves, kWidth - kLeastHalves);
  const double second = first * first + std::max(0.0, variance) / (half * half);
  // For each curvature the best slope is the one with the right mean; there the likelihood rises
  // with the curvature as long as the squares are larger than they ought to be (envelope theorem).
  // It is concave, so halving finds the best; on a logarithmic scale.
  double least = -std::log(2 * kLargestHalves * kLargestHalves);
  double most = -std::log(2 * kLeastHalves * kLeastHalves);
  Shape shape;
  const auto squares_too_large = [&](double log_curvature) {
    shape.curvature = std::exp(log_curvature);
    shape.slope = slope_with_mean(shape.curvature, first);
    return moments_of(shape).second > second;
  };
  if (!squares_too_large(least)) {
    most = least;
  } else if (squares_too_large(most)) {
    least = most;
  }
  while (most - least > 1e-12) {
    const double middle = (least + most) / 2;
    (squares_too_large(middle) ? least : most) = middle;
  }
  squares_too_large(most);
  return {low + half * (-shape.slope / (2 * shape.curvature)),
          half / std::sqrt(2 * shape.curvature)};
}

}  // namespace privpfc
