#include "privpfc/direct/tree_greedy_forest.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "privpfc/classifiers/folds.h"

namespace privpfc {

namespace {

// Per mille: the number of rows; all splits; all leaves.
constexpr std::array<std::uint64_t, 3> kMainShares = {10, 740, 250};

constexpr double kRowsPerTree = 8'000;

// The features that the next tree may ask about: public, or a matter of released trees.
std::vector<std::uint32_t> features_of(const GrowingTrees& before, std::size_t feature_count,
                                       Diversity diversity, std::uint64_t seed) {
  std::vector<std::uint32_t> features(feature_count);
  std::iota(features.begin(), features.end(), 0U);
  if (diversity == Diversity::kFeatureSubsets) {
    const std::vector<std::size_t> order = seeded_order(feature_count, seed + before.size());
    features.clear();
    for (std::size_t i = 0; i < (feature_count + 1) / 2; ++i) {
      features.push_back(static_cast<std::uint32_t>(order[i]));
    }
    std::sort(features.begin(), features.end());
    return features;
  }
  std::vector<std::uint32_t> fresh;
  for (const std::uint32_t feature : features) {
    const bool taken = std::any_of(before.begin(), before.end(), [&](const GrowingTree& tree) {
      return tree[0].yes != 0 && tree[0].question.feature == feature;
    });
    if (!taken) fresh.push_back(feature);
  }
  return fresh.empty() ? features : fresh;
}

}  // namespace

Released<std::unique_ptr<Model>> train_greedy_forest(const Private<Dataset>& rows,
                                                     const GreedyForest& forest,
                                                     const TreeDirectOptions& options,
                                                     const DirectSetting& setting,
                                                     Mechanisms& mechanisms, Budget budget) {
  const QuestionSpace questions(setting.schema, setting.space, QuestionWeights::kByFeature);
  const Private<CodedRows> coded = code_rows(rows, questions);
  const std::vector<Epsilon> main = budget.epsilon().split(kMainShares);
  const Released<std::int64_t> estimate = estimate_rows(coded, mechanisms, budget.take(main[0]));

  const double epsilon_rows = as_real(main[1]) * static_cast<double>(estimate.value());
  const double affordable =
      std::clamp(epsilon_rows / kRowsPerTree, static_cast<double>(forest.least_trees),
                 static_cast<double>(forest.most_trees));
  const std::size_t count = options.trees.value_or(static_cast<std::size_t>(affordable));
  const std::size_t depth = options.depth.value_or(
      std::min(depth_for(epsilon_rows / static_cast<double>(count), 600, 3, forest.most_depth),
               deepest(setting, count)));
  GreedyGrowth growth;
  growth.score = options.score.value_or(forest.score);
  const std::vector<Epsilon> parts = main[1].split(std::vector<std::uint64_t>(count * depth, 1));

  Released<GrowingTrees> trees = post_process([] { return GrowingTrees(); });
  for (std::size_t t = 0; t < count; ++t) {
    const QuestionSpace allowed(
        setting.schema, setting.space,
        features_of(trees.value(), setting.space.features.size(), forest.diversity, options.seed),
        QuestionWeights::kByFeature);
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(t * depth);
    growth.splits.assign(first, first + static_cast<std::ptrdiff_t>(depth));
    const Released<GrowingTree> tree =
        grow_greedy(coded, allowed, growth, estimate.value(), setting, mechanisms, budget);
    trees = post_process(
        [](const GrowingTrees& before, const GrowingTree& next) {
          GrowingTrees all = before;
          all.push_back(next);
          return all;
        },
        trees, tree);
  }
  const LeafRule rule{setting.space.class_count(), static_cast<double>(count) / as_real(main[2]),
                      options.prune ? forest.pruning : Pruning::kNone, false};
  return count_and_finish(coded, trees, questions, rule, true, mechanisms, std::move(budget));
}

}  // namespace privpfc
