#include <algorithm>
#include <cmath>
#include <numeric>

#include "privpfc/classifiers/cart.h"
#include "privpfc/classifiers/cart_split.h"

namespace privpfc {

namespace {

// The rows of a node are a stretch of `rows_`, and of each numeric feature's own list, which is
// sorted by that feature (missing last). Splitting divides each list stably, so that it is sorted
// once only.
class Grower {
 public:
  Grower(const FeatureSpace& space, const Dataset& data, std::span<const double> weights,
         const GrowOptions& options)
      : space_(space),
        data_(data),
        weights_(weights),
        options_(options),
        classes_(space.class_count()),
        groups_(classes_),
        goes_left_(data.count(), 0) {
    for (std::size_t i = 0; i < data.count(); ++i) {
      if (weights[i] > 0) rows_.push_back(static_cast<std::uint32_t>(i));
    }
    buffer_.resize(rows_.size());
    sorted_.resize(space.features.size());
    for (std::size_t f = 0; f < space.features.size(); ++f) {
      if (!space.features[f].is_number()) {
        group_of_code_.resize(std::max(group_of_code_.size(), space.features[f].categories.size()),
                              kNone);
        continue;
      }
      const std::vector<double>& numbers = data.rows.columns[f].numbers;
      sorted_[f] = rows_;
      std::stable_sort(sorted_[f].begin(), sorted_[f].end(), [&](std::uint32_t a, std::uint32_t b) {
        if (std::isnan(numbers[a]) || std::isnan(numbers[b])) {
          return !std::isnan(numbers[a]) && std::isnan(numbers[b]);
        }
        return numbers[a] < numbers[b];
      });
    }
  }

  Cart grow() {
    Cart cart;
    cart.push_back(CartNode{.class_weights = class_weights_of(0, rows_.size())});
    struct Open {
      std::uint32_t node;
      std::size_t begin, end, depth;
    };
    std::vector<Open> open = {{0, 0, rows_.size(), 0}};
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      if (at.depth >= options_.most_depth || !split(cart[at.node], at.begin, at.end)) continue;
      const std::size_t middle = divide(cart[at.node], at.begin, at.end);
      const auto left = static_cast<std::uint32_t>(cart.size());
      cart.push_back(CartNode{.class_weights = class_weights_of(at.begin, middle)});
      cart.push_back(CartNode{.class_weights = class_weights_of(middle, at.end)});
      cart[at.node].left = left;
      cart[at.node].right = left + 1;
      open.push_back({left + 1, middle, at.end, at.depth + 1});
      open.push_back({left, at.begin, middle, at.depth + 1});
    }
    return cart;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::vector<double> class_weights_of(std::size_t begin, std::size_t end) const {
    std::vector<double> totals(classes_, 0);
    for (std::size_t k = begin; k < end; ++k) totals[data_.labels[rows_[k]]] += weights_[rows_[k]];
    return totals;
  }

  // Finds the node's best question; false if there is none worth asking.
  bool split(CartNode& node, std::size_t begin, std::size_t end) {
    double weight = 0;
    for (const double part : node.class_weights) weight += part;
    const double most = *std::max_element(node.class_weights.begin(), node.class_weights.end());
    if (weight < options_.least_split_weight || most == weight) return false;
    double best_gain = 0;
    for (std::size_t f = 0; f < space_.features.size(); ++f) {
      const Feature& feature = space_.features[f];
      CartNode question{.feature = static_cast<std::uint32_t>(f)};
      const double gain = feature.is_number()
                              ? ask_number(f, begin, end, best_gain, question)
                              : ask_category(f, feature, begin, end, best_gain, question);
      if (!(gain > best_gain)) continue;
      best_gain = gain;
      question.class_weights = std::move(node.class_weights);
      node = std::move(question);
    }
    return best_gain > 0;
  }

  double ask_number(std::size_t f, std::size_t begin, std::size_t end, double to_beat,
                    CartNode& question) {
    const std::vector<double>& numbers = data_.rows.columns[f].numbers;
    groups_.clear();
    values_.clear();
    missing_.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t row = sorted_[f][k];
      if (std::isnan(numbers[row])) {
        missing_.resize(classes_, 0);
        missing_[data_.labels[row]] += weights_[row];
        continue;
      }
      if (values_.empty() || numbers[row] > values_.back()) {
        values_.push_back(numbers[row]);
        groups_.add();
      }
      groups_[values_.size() - 1][data_.labels[row]] += weights_[row];
    }
    order_.resize(values_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const Cut cut = best_cut(groups_, order_, missing_, options_);
    if (!(cut.gain > to_beat)) return cut.gain;
    if (cut.left == values_.size()) {
      question.threshold = space_.features[f].high;  // all that is known goes left
    } else {
      const double below = values_[cut.left - 1];
      question.threshold = below + (values_[cut.left] - below) / 2;
    }
    question.missing_goes_left =
        missing_.empty() ? is_left_heavier(cut.left) : cut.missing_goes_left;
    return cut.gain;
  }

  double ask_category(std::size_t f, const Feature& feature, std::size_t begin, std::size_t end,
                      double to_beat, CartNode& question) {
    gather_categories(f, begin, end, feature.ordered);
    double gain = 0;
    std::vector<std::uint8_t> group_goes_left(groups_.count(), 0);
    std::size_t on_left = 0;
    if (feature.ordered) {
      order_.resize(codes_.size());
      std::iota(order_.begin(), order_.end(), std::size_t{0});
      std::sort(order_.begin(), order_.end(),
                [&](std::size_t a, std::size_t b) { return codes_[a] < codes_[b]; });
      const Cut cut = best_cut(groups_, order_, missing_, options_);
      gain = cut.gain;
      on_left = cut.left;
      for (std::size_t k = 0; k < cut.left; ++k) group_goes_left[order_[k]] = 1;
      question.missing_goes_left = cut.missing_goes_left;
    } else {
      Division division = best_division(groups_, options_);
      gain = division.gain;
      if (gain > 0) group_goes_left = std::move(division.goes_left);
    }
    if (!(gain > to_beat)) return gain;
    const bool left_heavier = is_left_heavier(group_goes_left);
    const auto elsewhere = static_cast<std::uint8_t>(left_heavier ? 1 : 0);
    question.goes_left.assign(feature.categories.size(), elsewhere);
    bool missing_seen = !missing_.empty();
    for (std::size_t g = 0; g < codes_.size(); ++g) {
      if (codes_[g] == kMissingCode) {
        question.missing_goes_left = group_goes_left[g] != 0;
        missing_seen = true;
      } else {
        question.goes_left[codes_[g]] = group_goes_left[g];
      }
    }
    if (!missing_seen) question.missing_goes_left = left_heavier;
    if (feature.ordered && on_left > 0) fill_between(question, on_left);
    return gain;
  }

  // One group per category that occurs, in order of code; what is missing is one more, last, or set
  // apart for ordered categories.
  void gather_categories(std::size_t f, std::size_t begin, std::size_t end, bool missing_apart) {
    const std::vector<std::uint16_t>& codes = data_.rows.columns[f].codes;
    groups_.clear();
    codes_.clear();
    missing_.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint16_t code = codes[rows_[k]];
      if (code != kMissingCode && group_of_code_[code] == kNone) {
        group_of_code_[code] = 0;
        codes_.push_back(code);
      } else if (code == kMissingCode) {
        missing_.resize(classes_, 0);
        missing_[data_.labels[rows_[k]]] += weights_[rows_[k]];
      }
    }
    std::sort(codes_.begin(), codes_.end());
    for (const std::uint16_t code : codes_) {
      group_of_code_[code] = static_cast<std::uint32_t>(groups_.add());
    }
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint16_t code = codes[rows_[k]];
      if (code == kMissingCode) continue;
      groups_[group_of_code_[code]][data_.labels[rows_[k]]] += weights_[rows_[k]];
    }
    for (const std::uint16_t code : codes_) group_of_code_[code] = kNone;
    if (missing_.empty() || missing_apart) return;
    const std::size_t group = groups_.add();
    std::copy(missing_.begin(), missing_.end(), groups_[group]);
    codes_.push_back(kMissingCode);
    missing_.clear();
  }

  // Ordered categories that did not occur go with their neighbours: up to the last code on the
  // left.
  void fill_between(CartNode& question, std::size_t on_left) const {
    const std::uint16_t last_left = codes_[order_[on_left - 1]];
    for (std::size_t code = 0; code < question.goes_left.size(); ++code) {
      question.goes_left[code] = code <= last_left ? 1 : 0;
    }
  }

  bool is_left_heavier(std::size_t on_left) const {
    std::vector<std::uint8_t> left(groups_.count(), 0);
    for (std::size_t k = 0; k < on_left; ++k) left[order_[k]] = 1;
    return is_left_heavier(left);
  }
  bool is_left_heavier(const std::vector<std::uint8_t>& group_goes_left) const {
    double balance = 0;
    for (std::size_t g = 0; g < groups_.count(); ++g) {
      for (std::size_t c = 0; c < classes_; ++c) {
        balance += (group_goes_left[g] != 0 ? 1 : -1) * groups_[g][c];
      }
    }
    return balance >= 0;
  }

  // Divides every list's stretch by the node's question; returns where the right side begins.
  std::size_t divide(CartNode& node, std::size_t begin, std::size_t end) {
    node.left = 1;  // any two that differ
    node.right = 2;
    std::size_t middle = begin;
    for (std::size_t k = begin; k < end; ++k) {
      const bool left = child_of(node, data_.rows, rows_[k]) == node.left;
      goes_left_[rows_[k]] = left ? 1 : 0;
      middle += left ? 1 : 0;
    }
    divide_list(rows_, begin, end);
    for (std::vector<std::uint32_t>& list : sorted_) {
      if (!list.empty()) divide_list(list, begin, end);
    }
    return middle;
  }

  void divide_list(std::vector<std::uint32_t>& list, std::size_t begin, std::size_t end) {
    std::size_t left = begin;
    std::size_t right = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t row = list[k];
      if (goes_left_[row] != 0) {
        list[left++] = row;
      } else {
        buffer_[right++] = row;
      }
    }
    std::copy_n(buffer_.begin(), right, list.begin() + static_cast<std::ptrdiff_t>(left));
  }

  const FeatureSpace& space_;
  const Dataset& data_;
  const std::span<const double> weights_;
  const GrowOptions options_;
  const std::size_t classes_;

  std::vector<std::uint32_t> rows_;
  std::vector<std::vector<std::uint32_t>> sorted_;  // by feature; empty for categories

  // Used anew for each question.
  Groups groups_;
  std::vector<double> values_;        // of the groups, for numbers
  std::vector<std::uint16_t> codes_;  // of the groups, for categories
  std::vector<double> missing_;       // class weights; empty when nothing is missing
  std::vector<std::size_t> order_;
  std::vector<std::uint32_t> group_of_code_;
  std::vector<std::uint8_t> goes_left_;  // by row
  std::vector<std::uint32_t> buffer_;
};

}  // namespace

Cart grow_cart(const FeatureSpace& space, const Dataset& data, std::span<const double> weights,
               const GrowOptions& options) {
  return Grower(space, data, weights, options).grow();
}

}  // namespace privpfc
