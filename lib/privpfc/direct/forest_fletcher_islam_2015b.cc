#include <algorithm>
#include <numbers>
#include <utility>

#include "privpfc/direct/tree_method.h"
#include "privpfc/direct/tree_methods.h"
#include "privpfc/direct/tree_random.h"

namespace privpfc {

namespace {

// The least number of rows that is not lost in the noise of its class counts.
double least_signal(double epsilon_per_tree, std::size_t classes) {
  return std::numbers::sqrt2 * static_cast<double>(classes) / epsilon_per_tree;
}

// Random trees, each beginning with another feature, that stop where the noise would be larger than
// the counts; leaves under the noise are pruned, and a leaf answers as the surest node above it.
class FletcherIslam2015b final : public RandomTreeMethod {
 public:
  explicit FletcherIslam2015b(const TreeDirectOptions& options)
      : RandomTreeMethod(
            {"forest-fletcher-islam-2015b",
             "random trees that stop where the noise begins; the surest ancestor answers",
             "S. Fletcher, M. Z. Islam, A differentially private random decision forest "
             "using reliable signal-to-noise ratios, 2015"},
            ModelKind::kForest, options) {}

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const QuestionSpace questions = questions_of(setting);
    const Private<CodedRows> coded = code_rows(rows, questions);
    const std::vector<Epsilon> main = budget.epsilon().split(kMainShares);
    const Released<std::int64_t> estimate = estimate_rows(coded, mechanisms, budget.take(main[0]));
    const std::size_t classes = setting.space.class_count();
    const Released<GrowingTrees> trees = post_process(
        [](std::int64_t row_estimate, double epsilon, std::size_t class_count,
           const TreeDirectOptions& wanted, const QuestionSpace& space, const DirectSetting& given,
           std::size_t most_trees_now) {
          // Two splits at least must be possible, and no more trees than there are features.
          const auto rows_now = static_cast<double>(row_estimate);
          const double possible = rows_now / (least_signal(epsilon, class_count) * 4);
          RandomGrowth how;
          how.trees = wanted.trees.value_or(static_cast<std::size_t>(
              std::clamp(possible, 1.0, static_cast<double>(most_trees_now))));
          how.seed = wanted.seed;
          how.depth = wanted.depth.value_or(
              std::min(TreeDirectOptions::kMostDepth - 2, deepest(given, how.trees)));
          how.rows = rows_now;
          how.least_rows = least_signal(epsilon / static_cast<double>(how.trees), class_count);
          how.distinct_roots = true;
          return random_trees(space, how);
        },
        estimate, as_public(as_real(main[1])), as_public(classes), as_public(options()),
        as_public(questions), as_public(setting), as_public(most_trees(setting)));
    const LeafRule rule =
        post_process(
            [](const GrowingTrees& grown, std::size_t class_count, double epsilon, bool prune) {
              return LeafRule{class_count, static_cast<double>(grown.size()) / epsilon,
                              prune ? Pruning::kSignal : Pruning::kNone, true};
            },
            trees, as_public(classes), as_public(as_real(main[1])), as_public(options().prune))
            .value();
    return count_and_finish(coded, trees, questions, rule, true, mechanisms, std::move(budget));
  }

 protected:
  std::size_t most_trees_by_rule(const DirectSetting& setting) const override {
    return std::max<std::size_t>(1, setting.space.features.size());
  }
};

}  // namespace

std::unique_ptr<DirectMethod> make_forest_fletcher_islam_2015b(const TreeDirectOptions& options) {
  return std::make_unique<FletcherIslam2015b>(options);
}

}  // namespace privpfc
