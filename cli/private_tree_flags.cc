#include "private_tree_flags.h"

#include <map>
#include <string>

namespace privpfc::cli {

namespace {

const char* const kTreeGroup = "With --private tree-... or forest-...";

}  // namespace

void add_private_tree_flags(CLI::App& command, TreeDirectOptions& options) {
  command
      .add_option("--tree-depth", options.depth,
                  "Splits on the way to a leaf, 1 to 16 (default: by epsilon and the noisy number "
                  "of rows)")
      ->check(CLI::Range(std::size_t{1}, TreeDirectOptions::kMostDepth))
      ->group(kTreeGroup);
  command
      .add_option("--forest-trees", options.trees,
                  "Trees of a forest, 1 to 1000 (default: the method's rule)")
      ->check(CLI::Range(std::size_t{1}, TreeDirectOptions::kMostTrees))
      ->group(kTreeGroup);
  command
      .add_option(
          "--tree-score", options.score,
          "What greedy trees split by: gini (default), errors (the max operator) or entropy")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, SplitScore>{{"gini", SplitScore::kGini},
                                            {"errors", SplitScore::kErrors},
                                            {"entropy", SplitScore::kEntropy}},
          CLI::ignore_case))
      ->option_text("CHOICE")
      ->group(kTreeGroup);
  command
      .add_flag_callback(
          "--tree-no-pruning", [&options] { options.prune = false; },
          "Keep every split, where the method would prune")
      ->group(kTreeGroup);
  command
      .add_option("--tree-seed", options.seed,
                  "Public seed of random questions and feature subsets (default 1)")
      ->group(kTreeGroup);
}

}  // namespace privpfc::cli
