#pragma once

#include "privpfc/direct/tree_method.h"

namespace privpfc {

// Forests of a few greedy trees on the same rows. The trees share the budget; what makes them
// differ is which features they may ask about.
enum class Diversity {
  kFeatureSubsets,  // each tree has half of the features, drawn from the public seed
  kDistinctRoots    // no tree asks about what an earlier one has asked at its root
};

struct GreedyForest {
  std::size_t least_trees = 2;  // between the two: one for every ten thousand rows by epsilon
  std::size_t most_trees = 4;
  std::size_t most_depth = 5;
  SplitScore score = SplitScore::kGini;
  Diversity diversity = Diversity::kDistinctRoots;
  Pruning pruning = Pruning::kNone;
};

Released<std::unique_ptr<Model>> train_greedy_forest(const Private<Dataset>& rows,
                                                     const GreedyForest& forest,
                                                     const TreeDirectOptions& options,
                                                     const DirectSetting& setting,
                                                     Mechanisms& mechanisms, Budget budget);

}  // namespace privpfc
