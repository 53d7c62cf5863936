#include "privpfc/classifiers/cart_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace privpfc {

namespace {

// With one group held on the right, eight groups have 127 divisions.
constexpr std::size_t kMostGroupsToEnumerate = 8;

// Gains below this share of the node's weight are rounding errors.
constexpr double kLeastGain = 1e-12;

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> total_of(const Groups& groups) {
  std::vector<double> total(groups.classes(), 0);
  for (std::size_t g = 0; g < groups.count(); ++g) {
    for (std::size_t c = 0; c < groups.classes(); ++c) total[c] += groups[g][c];
  }
  return total;
}

// What it gains to send `left` one way and the rest of `total` the other; 0 if a side is too light.
class SplitGain {
 public:
  SplitGain(std::vector<double> total, const GrowOptions& options)
      : total_(std::move(total)),
        right_(total_.size()),
        weight_(sum_of(total_)),
        purity_(purity(total_, options.impurity)),
        options_(options) {}

  double of(std::span<const double> left) {
    const double left_weight = sum_of(left);
    const double right_weight = weight_ - left_weight;
    if (!(left_weight > 0) || !(right_weight > 0) || left_weight < options_.least_leaf_weight ||
        right_weight < options_.least_leaf_weight) {
      return 0;
    }
    for (std::size_t c = 0; c < total_.size(); ++c) right_[c] = total_[c] - left[c];
    const double gain =
        purity(left, options_.impurity) + purity(right_, options_.impurity) - purity_;
    return gain > kLeastGain * weight_ ? gain : 0;
  }

 private:
  std::vector<double> total_;
  std::vector<double> right_;
  double weight_;
  double purity_;
  const GrowOptions& options_;
};

// Orders groups by `key`; equal keys keep their order.
std::vector<std::size_t> order_by(const std::vector<double>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

std::vector<double> shares_of_class(const Groups& groups, std::size_t c) {
  std::vector<double> shares;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    shares.push_back(groups[g][c] / sum_of({groups[g], groups.classes()}));
  }
  return shares;
}

// Each group's place along the direction in which the groups' class shares vary most, by weight
// (Coppersmith, Hong and Hosking 1999).
std::vector<double> principal_places(const Groups& groups) {
  const std::size_t classes = groups.classes();
  const std::vector<double> total = total_of(groups);
  const double weight = sum_of(total);
  std::vector<double> covariance(classes * classes, 0);
  std::vector<std::vector<double>> centred;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    const double own = sum_of({groups[g], classes});
    std::vector<double>& row = centred.emplace_back(classes);
    for (std::size_t c = 0; c < classes; ++c) row[c] = groups[g][c] / own - total[c] / weight;
    for (std::size_t a = 0; a < classes; ++a) {
      for (std::size_t b = 0; b < classes; ++b)
        covariance[a * classes + b] += own * row[a] * row[b];
    }
  }
  // Power iteration from the column of the class that varies most: that is not orthogonal to it.
  std::size_t widest = 0;
  for (std::size_t c = 1; c < classes; ++c) {
    if (covariance[c * classes + c] > covariance[widest * classes + widest]) widest = c;
  }
  std::vector<double> axis(classes);
  for (std::size_t c = 0; c < classes; ++c) axis[c] = covariance[c * classes + widest];
  for (int round = 0; round < 50; ++round) {
    std::vector<double> next(classes, 0);
    double length = 0;
    for (std::size_t a = 0; a < classes; ++a) {
      for (std::size_t b = 0; b < classes; ++b) next[a] += covariance[a * classes + b] * axis[b];
      length += next[a] * next[a];
    }
    if (!(length > 0)) break;
    for (double& entry : next) entry /= std::sqrt(length);
    axis = std::move(next);
  }
  std::vector<double> places;
  for (const std::vector<double>& row : centred) {
    places.push_back(std::inner_product(row.begin(), row.end(), axis.begin(), 0.0));
  }
  return places;
}

Division best_of_all(const Groups& groups, const GrowOptions& options) {
  const std::size_t count = groups.count();
  SplitGain gain_of(total_of(groups), options);
  Division best;
  std::uint32_t best_set = 0;
  std::vector<double> left(groups.classes());
  // The last group stays on the right: a set and its complement are the same division.
  for (std::uint32_t set = 1; set < (1U << (count - 1)); ++set) {
    std::fill(left.begin(), left.end(), 0.0);
    for (std::size_t g = 0; g + 1 < count; ++g) {
      if (((set >> g) & 1) == 0) continue;
      for (std::size_t c = 0; c < left.size(); ++c) left[c] += groups[g][c];
    }
    if (const double gain = gain_of.of(left); gain > best.gain) {
      best.gain = gain;
      best_set = set;
    }
  }
  for (std::size_t g = 0; g < count; ++g) {
    best.goes_left.push_back(static_cast<std::uint8_t>((best_set >> g) & 1));
  }
  return best;
}

}  // namespace

double purity(std::span<const double> class_weights, Impurity impurity) {
  double weight = 0;
  double sum = 0;
  if (impurity == Impurity::kGini) {
    for (const double part : class_weights) {
      weight += part;
      sum += part * part;
    }
    return weight > 0 ? sum / weight : 0;
  }
  for (const double part : class_weights) {
    weight += part;
    if (part > 0) sum += part * std::log(part);
  }
  return weight > 0 ? sum - weight * std::log(weight) : 0;
}

Cut best_cut(const Groups& groups, std::span<const std::size_t> order,
             std::span<const double> missing, const GrowOptions& options) {
  const std::size_t classes = groups.classes();
  std::vector<double> total = total_of(groups);
  for (std::size_t c = 0; c < missing.size(); ++c) total[c] += missing[c];
  SplitGain gain_of(std::move(total), options);
  Cut best;
  std::vector<double> left(classes, 0);
  std::vector<double> with_missing(classes, 0);
  // With something missing, all groups on one side and that on the other is a cut too.
  const std::size_t last = missing.empty() ? order.size() : order.size() + 1;
  for (std::size_t count = 1; count < last; ++count) {
    const double* group = groups[order[count - 1]];
    for (std::size_t c = 0; c < classes; ++c) left[c] += group[c];
    if (const double gain = gain_of.of(left); gain > best.gain) best = {gain, count, false};
    if (missing.empty() || count == order.size()) continue;
    for (std::size_t c = 0; c < classes; ++c) with_missing[c] = left[c] + missing[c];
    if (const double gain = gain_of.of(with_missing); gain > best.gain) best = {gain, count, true};
  }
  return best;
}

Division best_division(const Groups& groups, const GrowOptions& options) {
  const std::size_t classes = groups.classes();
  if (groups.count() < 2) return {};
  if (classes > 2 && groups.count() <= kMostGroupsToEnumerate) return best_of_all(groups, options);
  std::vector<std::vector<std::size_t>> orders;
  if (classes == 2) {
    // Gini and entropy are concave, so the best division follows the order of the shares.
    orders.push_back(order_by(shares_of_class(groups, 1)));
  } else {
    for (std::size_t c = 0; c < classes; ++c)
      orders.push_back(order_by(shares_of_class(groups, c)));
    orders.push_back(order_by(principal_places(groups)));
  }
  Division best;
  for (const std::vector<std::size_t>& order : orders) {
    const Cut cut = best_cut(groups, order, {}, options);
    if (!(cut.gain > best.gain)) continue;
    best.gain = cut.gain;
    best.goes_left.assign(groups.count(), 0);
    for (std::size_t k = 0; k < cut.left; ++k) best.goes_left[order[k]] = 1;
  }
  return best;
}

}  // namespace privpfc
