#include "privpfc/classifiers/interior_point.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace privpfc {
namespace {

// The dual: maximise sum a_i - |w|^2 / 2 with w = sum a_i z_i over 0 <= a_i <= u_i, where z_i is
// the point, a last input of 1 added, times its sign. With g_i = z_i'w - 1 = s_i - t_i the
// conditions of a solution are a_i s_i = 0 and (u_i - a_i) t_i = 0, all four not negative. The
// method keeps them positive, follows products that are all equal, and lets these go to 0.

constexpr std::size_t kMostSteps = 200;
constexpr double kTarget = 1e-10;  // better than promised, where rounding lets us

using Vector = std::vector<double>;

// Symmetric, positive definite; only the lower triangle is used.
class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), entries_(size * size, 0) {}
  double& at(std::size_t i, std::size_t j) { return entries_[i * size_ + j]; }

  // In place: the factor L with L L' = this. False where rounding has made it impossible.
  bool factor() {
    for (std::size_t j = 0; j < size_; ++j) {
      for (std::size_t i = j; i < size_; ++i) {
        double sum = at(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
        if (i == j && !(sum > 0)) return false;
        at(i, j) = i == j ? std::sqrt(sum) : sum / at(j, j);
      }
    }
    return true;
  }
  // After factor().
  void solve(Vector& x) {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= at(i, k) * x[k];
      x[i] /= at(i, i);
    }
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t k = i + 1; k < size_; ++k) x[i] -= at(k, i) * x[k];
      x[i] /= at(i, i);
    }
  }

 private:
  std::size_t size_;
  Vector entries_;
};

class InteriorPoint {
 public:
  InteriorPoint(const InputVectors& points, std::size_t dimension, std::span<const double> signs,
                std::span<const double> upper)
      : points_(points), dimension_(dimension), signs_(signs), upper_(upper), n_(points.count) {}

  LinearMachine solve() {
    start();
    double gap = measure_gap();
    for (std::size_t step = 0; step < kMostSteps && gap > kTarget; ++step) {
      if (!take_step()) break;
      gap = measure_gap();
      if (gap < best_gap_) {
        best_gap_ = gap;
        best_ = a_;
      } else if (best_gap_ <= kInteriorPointGap && gap > 10 * best_gap_) {
        break;  // rounding has taken over
      }
    }
    LinearMachine machine;
    machine.multipliers = std::move(best_);
    machine.weights = weights_of(machine.multipliers);
    machine.converged = best_gap_ <= kInteriorPointGap;
    return machine;
  }

 private:
  double along(std::size_t i, const Vector& w) const {  // z_i'w
    return signs_[i] * (dot(points_, i, w.data()) + w[dimension_]);
  }
  Vector weights_of(const Vector& multipliers) const {
    Vector w(dimension_ + 1, 0);
    for (std::size_t i = 0; i < n_; ++i) {
      const double factor = multipliers[i] * signs_[i];
      add_scaled(points_, i, factor, w.data());
      w[dimension_] += factor;
    }
    return w;
  }

  // In the middle of the box, with s and t such that s - t is the gradient.
  void start() {
    a_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) a_[i] = upper_[i] / 2;
    w_ = weights_of(a_);
    s_.resize(n_);
    t_.resize(n_);
    double largest = 1;
    for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, std::abs(along(i, w_) - 1));
    for (std::size_t i = 0; i < n_; ++i) {
      const double gradient = along(i, w_) - 1;
      s_[i] = std::max(gradient, 0.0) + largest / 10;
      t_[i] = std::max(-gradient, 0.0) + largest / 10;
    }
    best_ = a_;
  }

  // The relative duality gap at a and its weights: a certificate, whatever s and t are.
  double measure_gap() const {
    double squares = 0;
    for (const double entry : w_) squares += entry * entry;
    double primal = squares / 2;
    double dual = -squares / 2;
    for (std::size_t i = 0; i < n_; ++i) {
      primal += upper_[i] * std::max(0.0, 1 - along(i, w_));
      dual += a_[i];
    }
    return (primal - dual) / std::max(primal, 1e-300);
  }

  struct Direction {
    Vector a;
    Vector s;
    Vector t;
  };

  // Newton's direction towards a_i s_i = low_i and (u_i - a_i) t_i = high_i.
  Direction direction(Matrix& factor, const Vector& d, const Vector& low, const Vector& high) {
    Vector right(n_);
    Vector dw(dimension_ + 1, 0);
    for (std::size_t i = 0; i < n_; ++i) {
      const double residual = along(i, w_) - 1 - s_[i] + t_[i];
      right[i] = -residual + (low[i] / a_[i] - s_[i]) - (high[i] / (upper_[i] - a_[i]) - t_[i]);
      const double scaled = right[i] / d[i] * signs_[i];
      add_scaled(points_, i, scaled, dw.data());
      dw[dimension_] += scaled;
    }
    factor.solve(dw);
    Direction result{Vector(n_), Vector(n_), Vector(n_)};
    for (std::size_t i = 0; i < n_; ++i) {
      const double da = (right[i] - along(i, dw)) / d[i];
      result.a[i] = da;
      result.s[i] = low[i] / a_[i] - s_[i] - s_[i] / a_[i] * da;
      result.t[i] = high[i] / (upper_[i] - a_[i]) - t_[i] + t_[i] / (upper_[i] - a_[i]) * da;
    }
    return result;
  }

  // How far one can go until something reaches 0; at most 1.
  double reach(const Direction& to) const {
    double most = 1;
    for (std::size_t i = 0; i < n_; ++i) {
      if (to.a[i] < 0) most = std::min(most, -a_[i] / to.a[i]);
      if (to.a[i] > 0) most = std::min(most, (upper_[i] - a_[i]) / to.a[i]);
      if (to.s[i] < 0) most = std::min(most, -s_[i] / to.s[i]);
      if (to.t[i] < 0) most = std::min(most, -t_[i] / to.t[i]);
    }
    return most;
  }

  double mean_product(const Direction* to, double length) const {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double a = a_[i] + (to != nullptr ? length * to->a[i] : 0);
      const double s = s_[i] + (to != nullptr ? length * to->s[i] : 0);
      const double t = t_[i] + (to != nullptr ? length * to->t[i] : 0);
      sum += a * s + (upper_[i] - a) * t;
    }
    return sum / static_cast<double>(2 * n_);
  }

  // Mehrotra's predictor and corrector. False where rounding allows no more steps.
  bool take_step() {
    Vector d(n_);
    Matrix system(dimension_ + 1);
    for (std::size_t i = 0; i < n_; ++i) {
      d[i] = s_[i] / a_[i] + t_[i] / (upper_[i] - a_[i]);
      add_outer(i, 1 / d[i], system);
    }
    for (std::size_t k = 0; k <= dimension_; ++k) system.at(k, k) += 1;
    if (!system.factor()) return false;

    const Vector zero(n_, 0);
    const Direction straight = direction(system, d, zero, zero);
    const double now = mean_product(nullptr, 0);
    const double then = mean_product(&straight, reach(straight));
    const double centre = std::pow(std::max(then, 0.0) / now, 3) * now;
    Vector low(n_);
    Vector high(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      low[i] = centre - straight.a[i] * straight.s[i];
      high[i] = centre + straight.a[i] * straight.t[i];
    }
    const Direction to = direction(system, d, low, high);
    const double length = std::min(1.0, 0.995 * reach(to));
    if (!(length > 1e-10)) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      // Rounding must not put a multiplier on its bound.
      a_[i] = std::clamp(a_[i] + length * to.a[i], upper_[i] * 1e-15, upper_[i] * (1 - 1e-15));
      s_[i] += length * to.s[i];
      t_[i] += length * to.t[i];
    }
    w_ = weights_of(a_);
    return true;
  }

  // system += factor x x', the last input of x being 1. Only where x is not 0.
  void add_outer(std::size_t i, double factor, Matrix& system) const {
    const double* numbers = points_.number_row(i);
    const std::uint32_t* ones = points_.one_row(i);
    for (std::size_t j = 0; j < points_.number_width; ++j) {
      for (std::size_t k = 0; k <= j; ++k) system.at(j, k) += factor * numbers[j] * numbers[k];
      system.at(dimension_, j) += factor * numbers[j];
    }
    for (std::size_t j = 0; j < points_.category_width; ++j) {
      if (ones[j] == InputVectors::kNoOne) continue;
      for (std::size_t k = 0; k < points_.number_width; ++k) {
        system.at(ones[j], k) += factor * numbers[k];
      }
      for (std::size_t k = 0; k <= j; ++k) {
        if (ones[k] != InputVectors::kNoOne) system.at(ones[j], ones[k]) += factor;
      }
      system.at(dimension_, ones[j]) += factor;
    }
    system.at(dimension_, dimension_) += factor;
  }

  const InputVectors& points_;
  std::size_t dimension_;
  std::span<const double> signs_;
  std::span<const double> upper_;
  std::size_t n_;
  Vector a_;
  Vector s_;
  Vector t_;
  Vector w_;
  Vector best_;
  double best_gap_ = 1e300;
};

}  // namespace

LinearMachine solve_interior_point(const InputVectors& points, std::size_t dimension,
                                   std::span<const double> signs, std::span<const double> upper) {
  // A multiplier without room is 0, and takes no part.
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < points.count; ++i) {
    if (upper[i] > 0) free.push_back(i);
  }
  LinearMachine machine{Vector(dimension + 1, 0), Vector(points.count, 0), true};
  if (free.empty()) return machine;
  const InputVectors taken = take_points(points, free);
  Vector taken_signs;
  Vector taken_upper;
  for (const std::size_t i : free) {
    taken_signs.push_back(signs[i]);
    taken_upper.push_back(upper[i]);
  }
  LinearMachine solved = InteriorPoint(taken, dimension, taken_signs, taken_upper).solve();
  for (std::size_t k = 0; k < free.size(); ++k) {
    machine.multipliers[free[k]] = solved.multipliers[k];
  }
  machine.weights = std::move(solved.weights);
  machine.converged = solved.converged;
  return machine;
}

}  // namespace privpfc
