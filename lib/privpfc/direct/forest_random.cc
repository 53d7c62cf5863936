#include <algorithm>
#include <utility>

#include "privpfc/direct/tree_method.h"
#include "privpfc/direct/tree_methods.h"
#include "privpfc/direct/tree_random.h"

namespace privpfc {

namespace {

// Random trees that all rows pass through; every leaf of every tree is counted with noise.
class RandomForest final : public RandomTreeMethod {
 public:
  explicit RandomForest(const TreeDirectOptions& options)
      : RandomTreeMethod(
            {"forest-random", "random trees with noisy counts in their leaves",
             "G. Jagannathan, K. Pillaipakkamnatt, R. Wright, A practical differentially "
             "private random decision tree classifier, 2012"},
            ModelKind::kForest, options) {}

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const QuestionSpace questions = questions_of(setting);
    const Private<CodedRows> coded = code_rows(rows, questions);
    const Epsilon epsilon = budget.epsilon();
    const std::vector<Epsilon> main = epsilon.split(kMainShares);
    const Released<std::int64_t> estimate = estimate_rows(coded, mechanisms, budget.take(main[0]));
    const std::size_t count = most_trees(setting);
    const Released<GrowingTrees> trees = post_process(
        [](std::int64_t row_estimate, const TreeDirectOptions& wanted, const QuestionSpace& space,
           std::size_t trees_now, std::size_t most_depth) {
          RandomGrowth how;
          how.trees = trees_now;
          how.seed = wanted.seed;
          how.depth = wanted.depth.value_or(
              std::min(random_depth(row_estimate, space.features().size()), most_depth));
          return random_trees(space, how);
        },
        estimate, as_public(options()), as_public(questions), as_public(count),
        as_public(deepest(setting, count)));
    const LeafRule rule{setting.space.class_count(), static_cast<double>(count) / as_real(main[1]),
                        Pruning::kNone, false};
    return count_and_finish(coded, trees, questions, rule, true, mechanisms, std::move(budget));
  }

 protected:
  std::size_t most_trees_by_rule(const DirectSetting&) const override { return 10; }
};

}  // namespace

std::unique_ptr<DirectMethod> make_forest_random(const TreeDirectOptions& options) {
  return std::make_unique<RandomForest>(options);
}

}  // namespace privpfc
