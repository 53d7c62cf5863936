#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/classifiers/dataset.h"

namespace privpfc {

enum class Impurity { kGini, kEntropy };

// One node of a classification tree.
struct CartNode {
  std::vector<double> class_weights{};  // of the training rows that came here

  // A node with children asks about one feature. left == 0: it has none, the root is no child.
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t feature = 0;
  double threshold = 0;                   // numbers: at most this goes left
  std::vector<std::uint8_t> goes_left{};  // categories: by code, 1 or 0
  bool missing_goes_left = false;

  bool is_leaf() const { return left == 0; }
};

// Node 0 is the root; children come after their parents.
using Cart = std::vector<CartNode>;

struct GrowOptions {
  Impurity impurity = Impurity::kGini;
  double least_split_weight = 20;  // a node with less is not split
  double least_leaf_weight = 7;    // no split makes a child with less
  std::size_t most_depth = 30;
};

// Grows a tree on the rows with these weights (data.weights are not looked at). Greedy: each node
// takes the split that lowers the weighted impurity most, the first of several.
//
// Numbers and ordered categories are cut in two at the midpoint between two neighbours; what is
// missing goes to the side where it does better. Other categories are divided into two sets,
// missing being one more category: for two classes the best of all divisions, for more the best of
// all when at most eight categories occur in the node, otherwise the best of those that follow an
// order of the categories by the share of one class or along the principal axis of their shares.
// What did not occur in a node goes with the heavier side.
Cart grow_cart(const FeatureSpace& space, const Dataset& data, std::span<const double> weights,
               const GrowOptions& options);

// The child of `node` that a row goes to. Requires a node with children.
std::uint32_t child_of(const CartNode& node, const Rows& rows, std::size_t row);

// For each node, the price per leaf from which on it is better to have no children there: the
// complexity at which weakest-link pruning makes it a leaf (Breiman et al. 1984). The error of a
// tree is the weight it gets wrong, per unit of weight at the root. Leaves have 0; a child never
// has more than its parent.
std::vector<double> collapse_prices(const Cart& cart);

// The tree without what costs at most `price`.
Cart prune_cart(const Cart& cart, std::span<const double> collapse_prices, double price);

}  // namespace privpfc
