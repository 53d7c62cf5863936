#pragma once

#include <memory>
#include <vector>

#include "privpfc/classifiers/model.h"
#include "privpfc/direct/method.h"
#include "privpfc/direct/tree_growth.h"
#include "privpfc/direct/tree_leaves.h"

namespace privpfc {

// The steps that the methods of this family are made of. Each spends what it takes from a budget,
// and nothing else; what is not taken stays for the last step. Proof: trees.md.

// A noisy count of all rows, at least 1. Requires: part > 0.
Released<std::int64_t> estimate_rows(const Private<CodedRows>& rows, Mechanisms& mechanisms,
                                     Budget part);

struct GreedyGrowth {
  SplitScore score = SplitScore::kErrors;
  Rule rule = Rule::kExponential;
  std::vector<Epsilon> splits;    // by level; a part of nothing ends the growth
  std::vector<Epsilon> supports;  // by level, nothing where it is not asked; or empty
  double least_support = 0;       // a node with a smaller noisy count is not split
};

// One tree, level by level, each node by the question with the (noisily) least impurity.
// `row_estimate` is released.
Released<GrowingTree> grow_greedy(const Private<CodedRows>& rows, const QuestionSpace& questions,
                                  const GreedyGrowth& growth, std::int64_t row_estimate,
                                  const DirectSetting& setting, Mechanisms& mechanisms,
                                  Budget& budget);

// A forest of this tree alone.
Released<GrowingTrees> only_tree(const Released<GrowingTree>& tree);

// All the rest of the budget for the counts of all leaves; then a tree (if there is one), or a
// forest that averages shares.
Released<std::unique_ptr<Model>> count_and_finish(const Private<CodedRows>& rows,
                                                  const Released<GrowingTrees>& trees,
                                                  const QuestionSpace& questions,
                                                  const LeafRule& rule, bool as_forest,
                                                  Mechanisms& mechanisms, Budget budget);

}  // namespace privpfc
