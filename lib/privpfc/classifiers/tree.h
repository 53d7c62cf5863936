#pragma once

#include <memory>
#include <string_view>

#include "privpfc/classifiers/cart.h"
#include "privpfc/classifiers/model.h"

namespace privpfc {

struct TreeOptions {
  GrowOptions grow{};
  // Cost-complexity pruning: the sequence of best trees of fewer and fewer leaves is weighed by
  // cross-validation, and the smallest tree whose error is within `standard_errors` of the least is
  // kept. 0 folds: the tree is pruned at `price` instead.
  std::size_t folds = 10;
  double standard_errors = 1;
  double price = 0;
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

// One tree of the pruning sequence, as in rpart's table.
struct PruningStep {
  double price = 0;  // from which this tree is the best one
  std::size_t leaves = 0;
  double error = 0;           // in cross-validation, per unit of weight
  double standard_error = 0;  // of that error
};

struct PrunedCart {
  Cart cart;
  std::vector<PruningStep> steps;  // the largest tree first; empty without cross-validation
  std::size_t chosen = 0;
};

PrunedCart grow_and_prune(const FeatureSpace& space, const Dataset& data,
                          const TreeOptions& options);

// A classification tree (CART). The probabilities are the class shares in a leaf.
Result<std::unique_ptr<Model>> train_tree(const FeatureSpace& space, const Dataset& data,
                                          const TreeOptions& options);

// A tree that was made elsewhere. Requires: a sound Cart, with class shares in the place of class
// weights.
std::unique_ptr<Model> make_tree(Cart cart);

// The most bytes that the parameters of a tree, or of a forest, can take: so many trees, with so
// many questions in all.
std::uint64_t most_tree_bytes(const FeatureSpace& space, std::uint64_t trees,
                              std::uint64_t questions);

Result<std::unique_ptr<Model>> read_tree(const FeatureSpace& space, std::string_view parameters);

}  // namespace privpfc
