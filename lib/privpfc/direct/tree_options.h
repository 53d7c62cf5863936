#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace privpfc {

// What a split is judged by: rows of other classes than the majority's, the Gini impurity, or the
// entropy, each summed over rows and not averaged (tree_scores.h).
enum class SplitScore { kErrors, kGini, kEntropy };

// Options of the private trees and forests. What is not set follows the method's own rule, which
// knows the schema, epsilon and a paid estimate of the number of rows, and nothing else.
struct TreeDirectOptions {
  static constexpr std::size_t kMostDepth = 16;
  static constexpr std::size_t kMostTrees = 1'000;

  std::optional<std::size_t> depth;  // splits on the way from the root to a leaf
  std::optional<std::size_t> trees;
  std::optional<SplitScore> score;
  bool prune = true;
  std::uint64_t seed = 1;  // of what is random and public: the splits of random trees
};

}  // namespace privpfc
