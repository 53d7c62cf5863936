#pragma once

#include "privpfc/direct/tree_steps.h"

namespace privpfc {

// Splits chosen from noisy counts, as in the oldest private trees: in each node a histogram of each
// feature by class is released, and the best question follows from it.
struct CountGrowth {
  Impurity impurity = Impurity::kGini;
  bool asks_once = true;        // no feature twice on the way to a leaf, nor paid for again
  std::vector<Epsilon> levels;  // what each level costs; a part of nothing ends the growth
};

// How many features a node at this depth still asks about.
std::size_t features_at(const QuestionSpace& questions, const CountGrowth& growth,
                        std::size_t depth);

// A row is in one cell of each histogram of its node: the noise is for as many cells as there are
// histograms. Proof: trees.md.
Released<GrowingTree> grow_by_counts(const Private<CodedRows>& rows, const QuestionSpace& questions,
                                     const CountGrowth& growth, const DirectSetting& setting,
                                     Mechanisms& mechanisms, Budget& budget);

}  // namespace privpfc
