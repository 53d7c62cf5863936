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

constexpr int kMostNewtonSteps = 200;
constexpr int kMostHalvings = 40;
constexpr int kMostStalls = 3;     // steps that bring nothing, near what rounding allows
constexpr int kPlainAttempts = 2;  // then finer numbers

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

template <typename Real>
std::vector<Real> minimise(const TiltedObjective& objective, double tolerance,
                           std::vector<Real> weights) {
  using std::abs;
  // A value is a sum over many rows: some digits are lost.
  const Real digits = Real(5000) * std::numeric_limits<Real>::epsilon();
  const auto dimension = static_cast<Index>(weights.size());
  std::vector<Real> best = weights;
  std::vector<Real> gradient(weights.size());
  MatrixXd hessian(dimension, dimension);
  double least = HUGE_VAL;
  int stalls = 0;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    derivatives_at(objective, weights, gradient, hessian);
    const VectorXd plain_gradient = as_doubles(gradient);
    const double length = plain_gradient.norm();
    if (length < least) {
      best = weights;
      stalls = length < least / 2 ? 0 : stalls + 1;
      least = length;
    } else {
      ++stalls;
    }
    // Far from the minimum the gradient may well grow for a while; close to it that is rounding.
    if (least <= tolerance || (stalls >= kMostStalls && length < 1e3 * tolerance)) break;
    const VectorXd direction =
        -hessian.selfadjointView<Eigen::Lower>().ldlt().solve(plain_gradient);
    const double slope = plain_gradient.dot(direction);
    const Real value = value_at(objective, weights);
    const Real rounding = digits * (1 + abs(value));
    double length_of_step = 1;
    for (int halving = 0; halving < kMostHalvings; ++halving, length_of_step /= 2) {
      const Real next = value_at(objective, moved(weights, length_of_step, direction));
      if (next <= value + Real(1e-4 * length_of_step * slope) + rounding) break;
    }
    weights = moved(std::move(weights), length_of_step, direction);
  }
  return best;
}

}  // namespace

std::vector<double> minimise_by_newton(const TiltedObjective& objective, double tolerance,
                                       std::vector<double> start) {
  return minimise(objective, tolerance, std::move(start));
}

std::vector<FineWeight> minimise_finely(const TiltedObjective& objective, double tolerance,
                                        std::vector<FineWeight> start, int attempt) {
  std::vector<FineWeight> found;
  if (attempt < kPlainAttempts) {
    std::vector<double> plain;
    for (const FineWeight& weight : start) plain.push_back(weight.high + weight.low);
    for (const double weight : minimise(objective, tolerance, std::move(plain))) {
      found.push_back({weight, 0});
    }
    return found;
  }
  std::vector<Quad> fine;
  for (const FineWeight& weight : start) fine.push_back(Quad(weight.high) + Quad(weight.low));
  for (const Quad& weight : minimise(objective, tolerance, std::move(fine))) {
    const auto high = static_cast<double>(weight);
    found.push_back({high, static_cast<double>(weight - Quad(high))});
  }
  return found;
}

}  // namespace privpfc
