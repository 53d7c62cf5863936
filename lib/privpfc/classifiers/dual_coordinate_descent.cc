#include <algorithm>
#include <cmath>
#include <limits>

#include "privpfc/classifiers/folds.h"
#include "privpfc/classifiers/linear_svm.h"

namespace privpfc {

LinearMachine solve_dual_coordinate_descent(const InputVectors& points, std::size_t dimension,
                                            std::span<const double> signs,
                                            std::span<const double> upper,
                                            const LinearSvmOptions& options) {
  constexpr double kNoBound = std::numeric_limits<double>::infinity();
  LinearMachine machine;
  machine.weights.assign(dimension + 1, 0);
  machine.multipliers.assign(points.count, 0);
  double& bias = machine.weights[dimension];
  std::vector<double> diagonal(points.count);
  for (std::size_t i = 0; i < points.count; ++i) diagonal[i] = dot(points, i, points, i) + 1;

  std::vector<std::size_t> active = seeded_order(points.count, options.seed);
  const std::vector<std::size_t> all = active;
  // A multiplier at a bound is set aside when its gradient points further out than any other did in
  // the round before.
  double outer_high = kNoBound;
  double outer_low = -kNoBound;
  machine.converged = false;
  for (std::size_t round = 0; round < options.most_rounds; ++round) {
    double high = -kNoBound;
    double low = kNoBound;
    // A new order each round: a fixed one can go round in circles.
    const std::vector<std::size_t> order = seeded_order(active.size(), options.seed + round + 1);
    std::vector<std::size_t> kept;
    kept.reserve(active.size());
    for (const std::size_t place : order) {
      const std::size_t i = active[place];
      const double gradient = signs[i] * (dot(points, i, machine.weights.data()) + bias) - 1;
      double& multiplier = machine.multipliers[i];
      double projected = gradient;
      if (multiplier == 0) {
        if (gradient > outer_high) continue;
        projected = std::min(gradient, 0.0);
      } else if (multiplier == upper[i]) {
        if (gradient < outer_low) continue;
        projected = std::max(gradient, 0.0);
      }
      kept.push_back(i);
      high = std::max(high, projected);
      low = std::min(low, projected);
      if (std::abs(projected) < 1e-12) continue;
      const double before = multiplier;
      multiplier = std::clamp(before - gradient / diagonal[i], 0.0, upper[i]);
      const double change = (multiplier - before) * signs[i];
      add_scaled(points, i, change, machine.weights.data());
      bias += change;
    }
    if (kept.empty() || high - low <= options.tolerance) {
      if (kept.size() == points.count) {
        machine.converged = true;
        break;
      }
      // The end among those that take part: look at all of them once more.
      active = all;
      outer_high = kNoBound;
      outer_low = -kNoBound;
      continue;
    }
    active = std::move(kept);
    outer_high = high > 0 ? high : kNoBound;
    outer_low = low < 0 ? low : -kNoBound;
  }
  return machine;
}

}  // namespace privpfc
