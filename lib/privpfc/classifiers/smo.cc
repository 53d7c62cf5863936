#include "privpfc/classifiers/smo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "privpfc/classifiers/kernel_cache.h"

namespace privpfc {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// All arrays stand in the order of the cache: the first `active_` positions take part, the others
// have been set aside because they will probably stay at their bound.
//
// Instead of the gradient g this keeps slack_i = -y_i g_i = y_i - sum_j y_j a_j K_ij. At the
// optimum the slack of every point that may move up (in the direction of y_i) is at most that of
// every point that may move down, and the bias lies between.
class Solver {
 public:
  Solver(const KernelPoints& points, std::span<const double> signs, std::span<const double> upper,
         const SmoOptions& options)
      : options_(options),
        cache_(points, options.cache_bytes),
        count_(points.count()),
        active_(count_),
        signs_(signs.begin(), signs.end()),
        upper_(upper.begin(), upper.end()),
        multipliers_(count_, 0),
        slack_(signs_),
        bound_part_(count_, 0),
        diagonal_(count_) {
    for (std::size_t i = 0; i < count_; ++i) diagonal_[i] = points.value(i, i);
  }

  SmoSolution solve() {
    SmoSolution solution;
    const std::size_t most_steps = options_.most_steps > 0
                                       ? options_.most_steps
                                       : std::max<std::size_t>(10'000'000, 100 * count_);
    const std::size_t shrink_every = std::min<std::size_t>(count_, 1000);
    std::size_t until_shrink = shrink_every;
    for (;;) {
      if (options_.shrinking && until_shrink-- == 0) {
        until_shrink = shrink_every;
        shrink();
      }
      Pair pair;
      if (!choose(pair)) {
        // The optimum among those that take part: now it must hold for all.
        if (active_ == count_) break;
        bring_all_back();
        until_shrink = 1;
        continue;
      }
      if (solution.steps == most_steps) {
        solution.converged = false;
        if (active_ < count_) bring_all_back();
        break;
      }
      ++solution.steps;
      move(pair);
    }
    solution.bias = bias();
    solution.multipliers.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      solution.multipliers[cache_.order()[i]] = multipliers_[i];
      solution.objective -= multipliers_[i] * (1 + signs_[i] * slack_[i]) / 2;
    }
    return solution;
  }

 private:
  struct Pair {
    std::size_t up = 0;
    std::size_t down = 0;
  };

  bool at_upper(std::size_t i) const { return multipliers_[i] >= upper_[i]; }
  bool at_zero(std::size_t i) const { return multipliers_[i] <= 0; }
  bool may_go_up(std::size_t i) const { return signs_[i] > 0 ? !at_upper(i) : !at_zero(i); }
  bool may_go_down(std::size_t i) const { return signs_[i] > 0 ? !at_zero(i) : !at_upper(i); }

  // The largest slack of those that may go up, the smallest of those that may go down.
  std::pair<double, double> extremes() const {
    double most = -kInfinity;
    double least = kInfinity;
    for (std::size_t i = 0; i < active_; ++i) {
      if (may_go_up(i)) most = std::max(most, slack_[i]);
      if (may_go_down(i)) least = std::min(least, slack_[i]);
    }
    return {most, least};
  }

  // The one with the largest slack, and the partner that gains most to second order. False when no
  // pair violates optimality by more than the tolerance.
  bool choose(Pair& pair) {
    double most = -kInfinity;
    for (std::size_t i = 0; i < active_; ++i) {
      if (slack_[i] > most && may_go_up(i)) {
        most = slack_[i];
        pair.up = i;
      }
    }
    if (most == -kInfinity) return false;
    const double* row = cache_.row(pair.up, active_);
    double least = kInfinity;
    double best_gain = 0;
    for (std::size_t j = 0; j < active_; ++j) {
      const double difference = most - slack_[j];
      if (!may_go_down(j)) continue;
      least = std::min(least, slack_[j]);
      if (difference <= 0) continue;
      const double gain = difference * difference / curvature(pair.up, j, row[j]);
      if (gain > best_gain) {
        best_gain = gain;
        pair.down = j;
      }
    }
    return most - least >= options_.tolerance && best_gain > 0;
  }

  // Kernels that are not positive definite, and equal points, make it zero or less.
  double curvature(std::size_t i, std::size_t j, double kernel) const {
    return std::max(diagonal_[i] + diagonal_[j] - 2 * kernel, 1e-12);
  }

  // y_i a_i grows by what y_j a_j loses.
  void move(const Pair& pair) {
    const auto [i, j] = pair;
    const double* row_i = cache_.row(i, active_);
    const double* row_j = cache_.row(j, active_);
    const double room_i = signs_[i] > 0 ? upper_[i] - multipliers_[i] : multipliers_[i];
    const double room_j = signs_[j] > 0 ? multipliers_[j] : upper_[j] - multipliers_[j];
    const double wanted = (slack_[i] - slack_[j]) / curvature(i, j, row_i[j]);
    const double step = std::min({wanted, room_i, room_j});
    const bool was_upper_i = at_upper(i);
    const bool was_upper_j = at_upper(j);
    // InputVectors that reach a bound must be exactly there.
    multipliers_[i] =
        step == room_i ? (signs_[i] > 0 ? upper_[i] : 0) : multipliers_[i] + signs_[i] * step;
    multipliers_[j] =
        step == room_j ? (signs_[j] > 0 ? 0 : upper_[j]) : multipliers_[j] - signs_[j] * step;
    for (std::size_t k = 0; k < active_; ++k) slack_[k] -= step * (row_i[k] - row_j[k]);
    note_bound(i, was_upper_i);
    note_bound(j, was_upper_j);
  }

  // Keeps bound_part_k = sum of y_j a_j K_jk over the j at their upper bound, for all k.
  void note_bound(std::size_t i, bool was_upper) {
    if (!options_.shrinking || at_upper(i) == was_upper) return;
    const double* row = cache_.row(i, count_);
    const double change = (was_upper ? -1 : 1) * signs_[i] * upper_[i];
    for (std::size_t k = 0; k < count_; ++k) bound_part_[k] += change * row[k];
  }

  // Sets aside the points at a bound whose slack says that they will stay there.
  void shrink() {
    auto [most, least] = extremes();
    if (!near_end_ && most - least <= 10 * options_.tolerance) {
      // Near the end what was set aside too early costs most: look at everything once more.
      near_end_ = true;
      bring_all_back();
      std::tie(most, least) = extremes();
    }
    for (std::size_t i = 0; i < active_; ++i) {
      if (!may_be_set_aside(i, most, least)) continue;
      --active_;
      while (active_ > i && may_be_set_aside(active_, most, least)) --active_;
      if (active_ > i) swap(i, active_);
    }
  }

  bool may_be_set_aside(std::size_t i, double most, double least) const {
    const bool up = may_go_up(i);
    const bool down = may_go_down(i);
    return (up && !down && slack_[i] < least) || (down && !up && slack_[i] > most);
  }

  void swap(std::size_t a, std::size_t b) {
    cache_.swap_positions(a, b);
    for (auto* values : {&signs_, &upper_, &multipliers_, &slack_, &bound_part_, &diagonal_}) {
      std::swap((*values)[a], (*values)[b]);
    }
  }

  // The slack of those set aside was not kept up to date.
  void bring_all_back() {
    if (active_ == count_) return;
    for (std::size_t k = active_; k < count_; ++k) slack_[k] = signs_[k] - bound_part_[k];
    for (std::size_t i = 0; i < active_; ++i) {
      if (at_zero(i) || at_upper(i)) continue;
      const double* row = cache_.row(i, count_);
      const double factor = signs_[i] * multipliers_[i];
      for (std::size_t k = active_; k < count_; ++k) slack_[k] -= factor * row[k];
    }
    active_ = count_;
  }

  double bias() const {
    double sum = 0;
    std::size_t free = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (at_zero(i) || at_upper(i)) continue;
      sum += slack_[i];
      ++free;
    }
    if (free > 0) return sum / static_cast<double>(free);
    const auto [most, least] = extremes();
    if (most == -kInfinity) return least == kInfinity ? 0 : least;
    return least == kInfinity ? most : (most + least) / 2;
  }

  const SmoOptions options_;
  KernelCache cache_;
  const std::size_t count_;
  std::size_t active_;
  bool near_end_ = false;
  std::vector<double> signs_, upper_, multipliers_, slack_, bound_part_, diagonal_;
};

}  // namespace

SmoSolution solve_smo(const KernelPoints& points, std::span<const double> signs,
                      std::span<const double> upper, const SmoOptions& options) {
  require(signs.size() == points.count() && upper.size() == points.count(),
          "one sign and one bound per point");
  return Solver(points, signs, upper, options).solve();
}

}  // namespace privpfc
