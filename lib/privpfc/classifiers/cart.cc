#include "privpfc/classifiers/cart.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace privpfc {

std::uint32_t child_of(const CartNode& node, const Rows& rows, std::size_t row) {
  const FeatureColumn& column = rows.columns[node.feature];
  bool left = node.missing_goes_left;
  if (node.goes_left.empty()) {
    const double number = column.numbers[row];
    if (!std::isnan(number)) left = number <= node.threshold;
  } else {
    const std::uint16_t code = column.codes[row];
    if (code != kMissingCode) left = node.goes_left[code] != 0;
  }
  return left ? node.left : node.right;
}

std::vector<double> collapse_prices(const Cart& cart) {
  // What stands below each node, as long as it stands.
  struct Below {
    double error_here = 0;   // if the node were a leaf
    double error_below = 0;  // of its leaves
    std::size_t leaves = 1;
    std::uint32_t parent = 0;
    bool standing = false;  // has children that have not been collapsed
    std::uint32_t version = 0;
  };
  double total = 0;
  for (const double weight : cart[0].class_weights) total += weight;
  std::vector<Below> below(cart.size());
  for (std::size_t n = cart.size(); n-- > 0;) {
    const CartNode& node = cart[n];
    double weight = 0;
    for (const double part : node.class_weights) weight += part;
    const double most = *std::max_element(node.class_weights.begin(), node.class_weights.end());
    below[n].error_here = (weight - most) / total;
    below[n].error_below = below[n].error_here;
    if (node.is_leaf()) continue;
    below[n].standing = true;
    below[n].error_below = below[node.left].error_below + below[node.right].error_below;
    below[n].leaves = below[node.left].leaves + below[node.right].leaves;
    below[node.left].parent = below[node.right].parent = static_cast<std::uint32_t>(n);
  }
  const auto price_of = [&](std::size_t n) {
    return std::max(0.0, (below[n].error_here - below[n].error_below) /
                             static_cast<double>(below[n].leaves - 1));
  };
  struct Link {
    double price;
    std::uint32_t node;
    std::uint32_t version;  // entries of an earlier version are out of date
    bool operator>(const Link& other) const {
      return price != other.price ? price > other.price : node > other.node;
    }
  };
  std::priority_queue<Link, std::vector<Link>, std::greater<>> links;
  for (std::size_t n = 0; n < cart.size(); ++n) {
    if (below[n].standing) links.push({price_of(n), static_cast<std::uint32_t>(n), 0});
  }
  std::vector<double> prices(cart.size(), 0);
  double price = 0;
  std::vector<std::uint32_t> stack;
  while (!links.empty()) {
    const Link link = links.top();
    links.pop();
    if (!below[link.node].standing || below[link.node].version != link.version) continue;
    price = std::max(price, link.price);  // rounding must not turn the order round
    const double error_gain = below[link.node].error_here - below[link.node].error_below;
    const std::size_t leaves_lost = below[link.node].leaves - 1;
    stack.assign(1, link.node);
    while (!stack.empty()) {
      const std::uint32_t n = stack.back();
      stack.pop_back();
      if (!below[n].standing) continue;
      below[n].standing = false;
      prices[n] = price;
      stack.push_back(cart[n].left);
      stack.push_back(cart[n].right);
    }
    for (std::uint32_t n = link.node; n != 0;) {
      n = below[n].parent;
      below[n].error_below += error_gain;
      below[n].leaves -= leaves_lost;
      ++below[n].version;
      links.push({price_of(n), n, below[n].version});
    }
  }
  return prices;
}

Cart prune_cart(const Cart& cart, std::span<const double> prices, double price) {
  Cart pruned;
  struct Step {
    std::uint32_t from;
    std::uint32_t to;
  };
  std::vector<Step> stack = {{0, 0}};
  pruned.push_back(cart[0]);
  while (!stack.empty()) {
    const auto [from, to] = stack.back();
    stack.pop_back();
    const CartNode& node = cart[from];
    if (node.is_leaf() || prices[from] <= price) {
      pruned[to] = CartNode{.class_weights = node.class_weights};
      continue;
    }
    const auto left = static_cast<std::uint32_t>(pruned.size());
    pruned.push_back(cart[node.left]);
    pruned.push_back(cart[node.right]);
    pruned[to].left = left;
    pruned[to].right = left + 1;
    stack.push_back({node.right, left + 1});
    stack.push_back({node.left, left});
  }
  return pruned;
}

}  // namespace privpfc
