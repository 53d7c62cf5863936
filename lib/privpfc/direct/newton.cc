#include "privpfc/direct/newton.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

namespace privpfc {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Quad = boost::multiprecision::cpp_bin_float_quad;

constexpr int kMostPlainSteps = 2'000;  // finer numbers go on until they are there
constexpr int kMostHalvings = 100;      // of the interval in which a line has its minimum
constexpr int kMostStalls = 3;          // steps that bring nothing, near what rounding allows
constexpr int kPlainAttempts = 2;       // then finer numbers

// Where a step leads, losses and gradients need Real's digits; where it goes, a double will do.
template <typename Real>
struct LossAt {
  Real value;
  Real slope;
  double curvature;
};

template <typename Real>
LossAt<Real> loss_at(const SmoothLoss& loss, const Real& margin) {
  using std::abs;
  using std::exp;
  using std::log1p;
  if (loss.is_logistic()) {
    const Real small = exp(-abs(margin));
    const Real slope = margin >= 0 ? Real(-small / (1 + small)) : Real(-1 / (1 + small));
    return {log1p(small) + (margin < 0 ? -margin : Real(0)), slope,
            static_cast<double>(-slope * (1 + slope))};
  }
  const Real width = loss.width();
  const Real left = 1 + width - margin;
  if (left <= 0) return {0, 0, 0};
  if (left >= 2 * width) return {1 - margin, -1, 0};
  return {left * left / (4 * width), -left / (2 * width), 0.5 / loss.width()};
}

int side_of(const TiltedObjective& objective, std::size_t i) {
  return objective.points.label(i) == objective.task.positive ? 1 : -1;
}

template <typename Real>
Real product(std::span<const LabelledPoints::Entry> entries, const std::vector<Real>& weights) {
  Real sum = 0;
  for (const auto& entry : entries) sum += weights[entry.at] * Real(entry.value);
  return sum;
}

template <typename Real>
Real value_at(const TiltedObjective& objective, const std::vector<Real>& weights) {
  Real sum = 0;
  for (std::size_t i = 0; i < objective.points.count(); ++i) {
    const Real margin = side_of(objective, i) * product(objective.points.entries(i), weights);
    sum += objective.points.rows(i) * loss_at<Real>(objective.task.loss, margin).value;
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    sum += (Real(objective.task.lambda) / 2 * weights[k] + Real(objective.tilt[k])) * weights[k];
  }
  return sum;
}

// The gradient, and the lower triangle of the Hessian.
template <typename Real>
void derivatives_at(const TiltedObjective& objective, const std::vector<Real>& weights,
                    std::vector<Real>& gradient, MatrixXd& hessian) {
  for (std::size_t k = 0; k < weights.size(); ++k) {
    gradient[k] = Real(objective.task.lambda) * weights[k] + Real(objective.tilt[k]);
  }
  hessian.setZero();
  for (std::size_t i = 0; i < objective.points.count(); ++i) {
    const auto entries = objective.points.entries(i);
    const int side = side_of(objective, i);
    const Real margin = side * product(entries, weights);
    const LossAt<Real> loss = loss_at<Real>(objective.task.loss, margin);
    const Real pull = Real(objective.points.rows(i)) * side * loss.slope;
    const double bend = objective.points.rows(i) * loss.curvature;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      gradient[entries[k].at] += pull * Real(entries[k].value);
      if (bend == 0) continue;
      const double value = entries[k].value;
      double* column = hessian.col(entries[k].at).data();
      for (std::size_t m = k; m < entries.size(); ++m) {
        column[entries[m].at] += bend * value * static_cast<double>(entries[m].value);
      }
    }
  }
  hessian.diagonal().array() += objective.task.lambda;
}

template <typename Real>
VectorXd as_doubles(const std::vector<Real>& vector) {
  VectorXd doubles(static_cast<Index>(vector.size()));
  for (std::size_t k = 0; k < vector.size(); ++k) {
    doubles[static_cast<Index>(k)] = static_cast<double>(vector[k]);
  }
  return doubles;
}

template <typename Real>
std::vector<Real> moved(std::vector<Real> weights, double length, const VectorXd& direction) {
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] += Real(length * direction[static_cast<Index>(k)]);
  }
  return weights;
}

// The objective along a line: its slope at a distance from the start. It never falls, the objective
// being convex. Slopes have more digits than the differences of values that they stand for.
template <typename Real>
class Line {
 public:
  Line(const TiltedObjective& objective, const std::vector<Real>& weights,
       const VectorXd& direction)
      : objective_(objective) {
    std::vector<Real> along;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      along.emplace_back(direction[static_cast<Index>(k)]);
      constant_ += (Real(objective.task.lambda) * weights[k] + Real(objective.tilt[k])) * along[k];
      growth_ += Real(objective.task.lambda) * along[k] * along[k];
    }
    for (std::size_t i = 0; i < objective.points.count(); ++i) {
      const auto entries = objective.points.entries(i);
      margins_.push_back(side_of(objective, i) * product(entries, weights));
      speeds_.push_back(side_of(objective, i) * product(entries, along));
    }
  }

  Real slope_at(double distance) const {
    Real sum = constant_ + growth_ * Real(distance);
    for (std::size_t i = 0; i < margins_.size(); ++i) {
      const Real margin = margins_[i] + Real(distance) * speeds_[i];
      sum += Real(objective_.points.rows(i)) * speeds_[i] *
             loss_at<Real>(objective_.task.loss, margin).slope;
    }
    return sum;
  }

 private:
  const TiltedObjective& objective_;
  Real constant_ = 0;
  Real growth_ = 0;
  std::vector<Real> margins_;  // by point, at the start
  std::vector<Real> speeds_;
};

// How far to go: short of the line's minimum, so that the objective is sure to fall, but most of
// the way. 0 where the numbers have no digits left for that.
template <typename Real>
double distance_to_go(const Line<Real>& line) {
  const Real start = line.slope_at(0);
  if (start >= 0) return 0;
  const auto is_flat = [&](const Real& slope) { return slope >= start / 100; };
  double low = 0;
  double high = 1;
  Real low_slope = start;
  Real high_slope = line.slope_at(high);
  while (high_slope < 0) {
    if (is_flat(high_slope) || high > 0x1p40) return high;
    low = high;
    low_slope = high_slope;
    high *= 2;
    high_slope = line.slope_at(high);
  }
  for (int cut = 0; cut < kMostHalvings && !is_flat(low_slope); ++cut) {
    // Where a straight slope would be zero, and every other time in the middle: the slope may bend.
    const double straight =
        low + (high - low) * static_cast<double>(low_slope / (low_slope - high_slope));
    const double next =
        cut % 2 == 0 && low < straight && straight < high ? straight : low + (high - low) / 2;
    const Real slope = line.slope_at(next);
    (slope < 0 ? low : high) = next;
    (slope < 0 ? low_slope : high_slope) = slope;
  }
  return low;
}

// Newton's direction; where rounding leaves nothing of it, the steepest.
VectorXd descent(const MatrixXd& hessian, const VectorXd& gradient) {
  const VectorXd direction = -hessian.selfadjointView<Eigen::Lower>().ldlt().solve(gradient);
  if (direction.dot(gradient) < 0 && direction.allFinite()) return direction;
  return -gradient / hessian.trace();
}

// Newton's steps, each to nearly the minimum of its line. `most_steps` 0: the numbers have digits
// enough to get there, and do not end before.
template <typename Real>
std::vector<Real> minimise(const TiltedObjective& objective, double tolerance, int most_steps,
                           std::vector<Real> weights) {
  using std::abs;
  // A value is a sum over many rows: some digits are lost.
  const Real digits = Real(5000) * std::numeric_limits<Real>::epsilon();
  const auto dimension = static_cast<Index>(weights.size());
  std::vector<Real> gradient(weights.size());
  MatrixXd hessian(dimension, dimension);
  std::vector<Real> best;  // since what a step brings is below the value's last digits
  double least = HUGE_VAL;
  int stalls = 0;
  for (int step = 0; most_steps == 0 || step < most_steps; ++step) {
    derivatives_at(objective, weights, gradient, hessian);
    const VectorXd plain_gradient = as_doubles(gradient);
    const double length = plain_gradient.norm();
    if (length <= tolerance) return weights;
    const VectorXd direction = descent(hessian, plain_gradient);
    // Far from the minimum the gradient may well grow for hundreds of steps while the objective
    // falls; close to it, with few digits, that is rounding.
    const Real gain = Real(-plain_gradient.dot(direction));
    const bool in_last_digits =
        most_steps > 0 &&
        (!best.empty() || gain < digits * (1 + abs(value_at(objective, weights))));
    if (in_last_digits) {
      stalls = length < least / 2 ? 0 : stalls + 1;
      if (length < least) {
        best = weights;
        least = length;
      }
      if (stalls >= kMostStalls) break;
    }
    const double distance = distance_to_go(Line<Real>(objective, weights, direction));
    if (distance == 0) break;
    weights = moved(std::move(weights), distance, direction);
  }
  return best.empty() ? weights : best;
}

}  // namespace

std::vector<double> minimise_by_newton(const TiltedObjective& objective, double tolerance,
                                       std::vector<double> start) {
  return minimise(objective, tolerance, kMostPlainSteps, std::move(start));
}

std::vector<FineWeight> minimise_finely(const TiltedObjective& objective, double tolerance,
                                        std::vector<FineWeight> start, int attempt) {
  std::vector<FineWeight> found;
  if (attempt < kPlainAttempts) {
    std::vector<double> plain;
    for (const FineWeight& weight : start) plain.push_back(weight.high + weight.low);
    for (const double weight : minimise(objective, tolerance, kMostPlainSteps, std::move(plain))) {
      found.push_back({weight, 0});
    }
    return found;
  }
  std::vector<Quad> fine;
  for (const FineWeight& weight : start) fine.push_back(Quad(weight.high) + Quad(weight.low));
  for (const Quad& weight : minimise(objective, tolerance, 0, std::move(fine))) {
    const auto high = static_cast<double>(weight);
    found.push_back({high, static_cast<double>(weight - Quad(high))});
  }
  return found;
}

}  // namespace privpfc
