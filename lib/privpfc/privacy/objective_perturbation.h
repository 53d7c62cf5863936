#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/epsilon.h"
#include "privpfc/privacy/labelled_points.h"

namespace privpfc {

// Linear classifiers. The one part of the kernel with floating point: why it may, and what the
// errors do, is in objective_perturbation.md.

// A convex loss of the margin, with a slope in [-1, 0] and a bounded second derivative.
class SmoothLoss {
 public:
  static SmoothLoss logistic() { return SmoothLoss(0); }
  // The hinge, rounded off where the margin is within `width` of 1. Requires: 0.001 <= width <= 1.
  static SmoothLoss huber(double width);

  bool is_logistic() const { return width_ == 0; }
  double width() const { return width_; }
  double most_curvature() const { return is_logistic() ? 0.25 : 0.5 / width_; }
  template <typename Real>
  Real slope(const Real& margin) const {
    using std::exp;
    if (is_logistic()) return -1 / (1 + exp(margin));
    return std::clamp<Real>((margin - 1 - Real(width_)) / (2 * Real(width_)), -1, 0);
  }

 private:
  explicit SmoothLoss(double width) : width_(width) {}
  double width_;
};

// What is learned: one class against the others. All public.
struct LinearTask {
  std::size_t dimension = 0;  // of the points
  double reach = 0;           // of the points
  std::uint8_t positive = 0;  // the class of the positive side
  SmoothLoss loss = SmoothLoss::logistic();
  double lambda = 0;
};

// J(w) = sum over rows of loss(side * w.x) + lambda/2 |w|^2 + tilt.w
struct TiltedObjective {
  const LabelledPoints& points;
  const LinearTask& task;
  std::span<const double> tilt;
};

// A sum of two, the second far smaller: one has too few digits where many rows meet a small lambda.
struct FineWeight {
  double high = 0;
  double low = 0;
};

// Goes from `start` towards the minimum, until the gradient is no longer than `tolerance`. Who
// writes one need not be trusted: the kernel checks the gradient itself and asks again; `attempt`
// is 0 at first.
using Minimiser = std::vector<FineWeight> (*)(const TiltedObjective& objective, double tolerance,
                                              std::vector<FineWeight> start, int attempt);

enum class Perturb { kObjective, kOutput };

// The least lambda for objective perturbation: Huber's noise then gets half of epsilon or more, the
// logistic one all of it. At least 1, below which the minimum may not be found well enough.
double least_lambda(const SmoothLoss& loss, Epsilon epsilon);

// Weights in units of 2^-kWeightBits.
inline constexpr int kWeightBits = 20;

// Requires: points of the task's dimension and reach, task.lambda >= 1 and, for kObjective,
// >= least_lambda(). Ensures: epsilon-differentially private in the rows. Proof:
// objective_perturbation.md.
std::vector<std::int64_t> perturbed_weights(BitSource& bits, const LabelledPoints& points,
                                            const LinearTask& task, Minimiser minimise,
                                            Perturb perturb, Epsilon epsilon);

// The parts, for the tests.

// The noise, and how far it may be from the ideal one that it was rounded from.
struct Tilt {
  std::vector<double> values;
  double error = 0;
};
// Independent entries, density ~ exp(-rate |b|_1).
Tilt draw_laplace_tilt(BitSource& bits, std::size_t dimension, double rate);
// Density ~ exp(-rate |b|_2).
Tilt draw_spherical_tilt(BitSource& bits, std::size_t dimension, double rate);
// What is left for the noise of a share of epsilon after the change of the Jacobian. Requires: a
// lambda of at least 1 / epsilon for the logistic loss.
double noise_rate(const LinearTask& task, double epsilon);
// An upper bound of the length of the gradient at `weights`, rounding errors included: by numbers
// of 64 bits or more, and, slowly, of 113.
double gradient_bound(const TiltedObjective& objective, std::span<const FineWeight> weights);
double fine_gradient_bound(const TiltedObjective& objective, std::span<const FineWeight> weights);

}  // namespace privpfc
