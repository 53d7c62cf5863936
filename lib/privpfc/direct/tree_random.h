#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "privpfc/direct/tree_growth.h"

namespace privpfc {

// Trees whose questions are drawn from a public seed, before a row is read.
struct RandomGrowth {
  std::size_t depth = 5;
  std::size_t trees = 10;
  std::uint64_t seed = 1;
  // A node is not split if it would leave a child with fewer rows than this, were the rows spread
  // evenly; 0: always split.
  double least_rows = 0;
  double rows = 0;
  bool distinct_roots =
      false;  // no two trees begin with the same feature, as long as there are any
};

// A feature first, all alike, then one of its questions, all alike. A question that the answers
// above it have settled is not asked; where none is found, the node stays a leaf.
GrowingTrees random_trees(const QuestionSpace& questions, const RandomGrowth& growth);

}  // namespace privpfc
