#include <algorithm>
#include <cmath>
#include <limits>

#include "privpfc/base/parallel.h"
#include "privpfc/classifiers/folds.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/classifiers/tree.h"

namespace privpfc {

namespace {

// Adds, for each of the rising `prices`, the weight that the tree pruned at it gets wrong. A row's
// answer at a price is that of the first node on its way down that costs no more: each node answers
// for one stretch of prices.
void add_errors(const Cart& cart, const std::vector<double>& prices, const Dataset& data,
                std::span<const double> weights, std::vector<double>& errors) {
  const std::vector<double> collapse = collapse_prices(cart);
  std::vector<std::size_t> first_price(cart.size(), 0);
  std::vector<std::uint8_t> answer(cart.size());
  for (std::size_t n = 0; n < cart.size(); ++n) {
    answer[n] = largest_class(cart[n].class_weights.data(), cart[n].class_weights.size());
    if (cart[n].is_leaf()) continue;
    first_price[n] = static_cast<std::size_t>(
        std::lower_bound(prices.begin(), prices.end(), collapse[n]) - prices.begin());
  }
  std::vector<double> changes(prices.size() + 1, 0);
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (!(weights[i] > 0)) continue;
    std::size_t end = prices.size();
    for (std::uint32_t n = 0;; n = child_of(cart[n], data.rows, i)) {
      if (first_price[n] < end && answer[n] != data.labels[i]) {
        changes[first_price[n]] += weights[i];
        changes[end] -= weights[i];
      }
      end = std::min(end, first_price[n]);
      if (cart[n].is_leaf() || end == 0) break;
    }
  }
  double wrong = 0;
  for (std::size_t k = 0; k < prices.size(); ++k) errors[k] += wrong += changes[k];
}

std::size_t leaf_count(const Cart& cart, const std::vector<double>& collapse, double price) {
  std::size_t leaves = 0;
  std::vector<std::uint32_t> stack = {0};
  while (!stack.empty()) {
    const CartNode& node = cart[stack.back()];
    const bool is_leaf = node.is_leaf() || collapse[stack.back()] <= price;
    stack.pop_back();
    if (is_leaf) {
      ++leaves;
    } else {
      stack.push_back(node.left);
      stack.push_back(node.right);
    }
  }
  return leaves;
}

}  // namespace

PrunedCart grow_and_prune(const FeatureSpace& space, const Dataset& data,
                          const TreeOptions& options) {
  if (options.folds == 0) {
    const Cart whole = grow_cart(space, data, data.weights, options.grow);
    return {prune_cart(whole, collapse_prices(whole), options.price), {}, 0};
  }
  const auto parts = deal_folds(data.labels, data.weights, options.folds, options.seed);
  std::vector<Cart> carts(options.folds + 1);
  run_pieces(carts.size(), options.threads, [&](std::size_t f) {
    std::vector<double> weights = data.weights;
    if (f > 0) {
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= parts[f - 1][i];
    }
    carts[f] = grow_cart(space, data, weights, options.grow);
  });
  const Cart& whole = carts[0];
  const std::vector<double> collapse = collapse_prices(whole);

  // The prices at which the best tree changes. Each of the trees in between is tried at the
  // geometric mean of the ends of its stretch, as a typical price for it.
  std::vector<double> ends = {0};
  for (std::size_t n = 0; n < whole.size(); ++n) {
    if (!whole[n].is_leaf()) ends.push_back(collapse[n]);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<double> prices;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    prices.push_back(std::sqrt(ends[k] * ends[k + 1]));
  }
  prices.push_back(std::numeric_limits<double>::infinity());

  double total = 0;
  for (const double weight : data.weights) total += weight;
  std::vector<double> errors(prices.size(), 0);
  for (std::size_t f = 0; f < options.folds; ++f) {
    add_errors(carts[f + 1], prices, data, parts[f], errors);
  }
  PrunedCart pruned;
  for (std::size_t k = 0; k < prices.size(); ++k) {
    const double error = errors[k] / total;
    pruned.steps.push_back({ends[k], leaf_count(whole, collapse, ends[k]), error,
                            std::sqrt(std::max(0.0, error * (1 - error)) / total)});
  }
  const auto best = std::min_element(
      pruned.steps.begin(), pruned.steps.end(),
      [](const PruningStep& a, const PruningStep& b) { return a.error < b.error; });
  const double limit = best->error + options.standard_errors * best->standard_error;
  for (std::size_t k = 0; k < pruned.steps.size(); ++k) {
    if (pruned.steps[k].error <= limit) pruned.chosen = k;
  }
  pruned.cart = prune_cart(whole, collapse, pruned.steps[pruned.chosen].price);
  return pruned;
}

}  // namespace privpfc
