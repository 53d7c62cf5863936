#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/direct/tree_growth.h"

namespace privpfc {

// From noisy counts to a tree that predicts: post-processing, all of it.

enum class Pruning {
  kNone,
  kPrice,  // a split stays if it gets as many rows more right as the noise of a count, per leaf
  kSignal  // two leaves go if the noise of one of them is larger than its count
};

struct LeafRule {
  std::size_t classes = 2;
  double noise = 1;  // the scale of the noise in each count: 1 / epsilon
  Pruning pruning = Pruning::kNone;
  bool most_confident = false;  // a leaf answers as the node above it (or itself) that is surest
};

// `counts`: by leaf of the tree and class, noisy. A node above leaves has the sum of their counts.
// What is left of a leaf's shares under the noise is drawn towards its parent's: by so many rows as
// the noise is large. A tree without any rows says that all classes are alike.
Cart finish_tree(const GrowingTree& tree, const QuestionSpace& questions,
                 std::span<const std::int64_t> counts, const LeafRule& rule);

// The trees of a forest; `counts` by leaf of all trees, one after the other.
std::vector<Cart> finish_trees(const GrowingTrees& trees, const QuestionSpace& questions,
                               std::span<const std::int64_t> counts, const LeafRule& rule);

// The tree whose leaves each say one class, by leaf.
Cart label_leaves(const GrowingTree& tree, const QuestionSpace& questions,
                  std::span<const std::uint64_t> labels, std::size_t classes);

}  // namespace privpfc
