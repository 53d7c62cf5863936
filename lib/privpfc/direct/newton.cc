#include "privpfc/direct/newton.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>

namespace privpfc {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostNewtonSteps = 200;
constexpr int kMostHalvings = 40;
constexpr int kMostStalls = 3;  // steps that bring nothing, near what rounding allows

struct LossAt {
  double value;
  double slope;
  double curvature;
};

LossAt loss_at(const SmoothLoss& loss, double margin) {
  if (loss.is_logistic()) {
    const double small = std::exp(-std::abs(margin));
    const double slope = margin >= 0 ? -small / (1 + small) : -1 / (1 + small);
    return {std::log1p(small) + (margin < 0 ? -margin : 0), slope, -slope * (1 + slope)};
  }
  const double left = 1 + loss.width() - margin;
  if (left <= 0) return {0, 0, 0};
  if (left >= 2 * loss.width()) return {1 - margin, -1, 0};
  return {left * left / (4 * loss.width()), -left / (2 * loss.width()), 0.5 / loss.width()};
}

double side_of(const TiltedObjective& objective, std::size_t i) {
  return objective.points.label(i) == objective.task.positive ? 1 : -1;
}

double product(std::span<const LabelledPoints::Entry> entries, const VectorXd& weights) {
  double sum = 0;
  for (const auto& entry : entries) sum += weights[entry.at] * static_cast<double>(entry.value);
  return sum;
}

VectorXd tilt_of(const TiltedObjective& objective) {
  return Eigen::Map<const VectorXd>(objective.tilt.data(),
                                    static_cast<Index>(objective.tilt.size()));
}

double value_at(const TiltedObjective& objective, const VectorXd& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < objective.points.count(); ++i) {
    const double margin = side_of(objective, i) * product(objective.points.entries(i), weights);
    sum += objective.points.rows(i) * loss_at(objective.task.loss, margin).value;
  }
  return sum + objective.task.lambda / 2 * weights.squaredNorm() + tilt_of(objective).dot(weights);
}

// The gradient, and the lower triangle of the Hessian where one is wanted.
void derivatives_at(const TiltedObjective& objective, const VectorXd& weights, VectorXd& gradient,
                    MatrixXd* hessian) {
  gradient = objective.task.lambda * weights + tilt_of(objective);
  if (hessian != nullptr) hessian->setZero();
  for (std::size_t i = 0; i < objective.points.count(); ++i) {
    const auto entries = objective.points.entries(i);
    const double side = side_of(objective, i);
    const LossAt loss = loss_at(objective.task.loss, side * product(entries, weights));
    const double pull = objective.points.rows(i) * side * loss.slope;
    const double bend = objective.points.rows(i) * loss.curvature;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const double value = entries[k].value;
      gradient[entries[k].at] += pull * value;
      if (hessian == nullptr || bend == 0) continue;
      double* column = hessian->col(entries[k].at).data();
      for (std::size_t m = k; m < entries.size(); ++m) {
        column[entries[m].at] += bend * value * static_cast<double>(entries[m].value);
      }
    }
  }
  if (hessian != nullptr) hessian->diagonal().array() += objective.task.lambda;
}

}  // namespace

std::vector<double> minimise_by_newton(const TiltedObjective& objective, double tolerance,
                                       std::vector<double> start) {
  const auto dimension = static_cast<Index>(start.size());
  VectorXd weights = Eigen::Map<const VectorXd>(start.data(), dimension);
  VectorXd best = weights;
  VectorXd gradient(dimension);
  MatrixXd hessian(dimension, dimension);
  double least = HUGE_VAL;
  int stalls = 0;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    derivatives_at(objective, weights, gradient, &hessian);
    const double length = gradient.norm();
    if (length < least) {
      best = weights;
      stalls = length < least / 2 ? 0 : stalls + 1;
      least = length;
    } else {
      ++stalls;
    }
    // Far from the minimum the gradient may well grow for a while; close to it that is rounding.
    if (least <= tolerance || (stalls >= kMostStalls && length < 1e3 * tolerance)) break;
    const VectorXd direction = -hessian.selfadjointView<Eigen::Lower>().ldlt().solve(gradient);
    const double slope = gradient.dot(direction);
    const double value = value_at(objective, weights);
    const double rounding = 1e-12 * (1 + std::abs(value));
    double length_of_step = 1;
    for (int halving = 0; halving < kMostHalvings; ++halving, length_of_step /= 2) {
      const double next = value_at(objective, weights + length_of_step * direction);
      if (next <= value + 1e-4 * length_of_step * slope + rounding) break;
    }
    weights += length_of_step * direction;
  }
  return {best.data(), best.data() + dimension};
}

}  // namespace privpfc
