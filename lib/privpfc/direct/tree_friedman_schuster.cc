#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

#include "privpfc/direct/tree_method.h"
#include "privpfc/direct/tree_methods.h"

namespace privpfc {

namespace {

// Greedy, by the exponential mechanism over every question at once, thresholds of numbers included.
// Deeper nodes are counted before they are split, and the tree is pruned at the end.
class FriedmanSchuster final : public TreeMethod {
 public:
  explicit FriedmanSchuster(const TreeDirectOptions& options)
      : TreeMethod({"tree-friedman-schuster",
                    "one greedy tree; splits, thresholds included, by the exponential mechanism",
                    "A. Friedman, A. Schuster, Data mining with differential privacy, KDD 2010"},
                   ModelKind::kTree, options) {}

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const QuestionSpace questions(setting.schema, setting.space, QuestionWeights::kByFeature);
    const Private<CodedRows> coded = code_rows(rows, questions);
    const Epsilon epsilon = budget.epsilon();
    const Released<std::int64_t> estimate =
        estimate_rows(coded, mechanisms, budget.take(epsilon.split(kMainShares)[0]));

    const double epsilon_rows = as_real(epsilon) * static_cast<double>(estimate.value());
    const std::size_t depth =
        options().depth.value_or(std::min(depth_for(epsilon_rows, 600, 3, 8), deepest(setting, 1)));
    const std::vector<Epsilon> main = epsilon.split(kMainShares);
    const double leaf_noise = 1 / as_real(main[2]);
    GreedyGrowth growth;
    growth.score = options().score.value_or(SplitScore::kGini);
    std::vector<std::uint64_t> shares;
    for (std::size_t level = 0; level < depth; ++level) {
      shares.push_back(4);
      shares.push_back(level > kLevelsWithoutCount ? 1 : 0);
    }
    const std::vector<Epsilon> parts = main[1].split(shares);
    for (std::size_t level = 0; level < depth; ++level) {
      growth.splits.push_back(parts[2 * level]);
      growth.supports.push_back(parts[2 * level + 1]);
    }
    const std::size_t classes = setting.space.class_count();
    growth.least_support = std::numbers::sqrt2 * static_cast<double>(classes) * leaf_noise;
    const Released<GrowingTree> tree =
        grow_greedy(coded, questions, growth, estimate.value(), setting, mechanisms, budget);
    const LeafRule rule{classes, leaf_noise, options().prune ? Pruning::kPrice : Pruning::kNone,
                        false};
    return count_and_finish(coded, only_tree(tree), questions, rule, false, mechanisms,
                            std::move(budget));
  }

 private:
  // Per mille: the number of rows; splits and supports; leaves.
  static constexpr std::array<std::uint64_t, 3> kMainShares = {10, 790, 200};
  // Nobody would stop a tree before it has this many levels.
  static constexpr std::size_t kLevelsWithoutCount = 2;
};

}  // namespace

std::unique_ptr<DirectMethod> make_tree_friedman_schuster(const TreeDirectOptions& options) {
  return std::make_unique<FriedmanSchuster>(options);
}

}  // namespace privpfc
