#include <algorithm>
#include <utility>

#include "privpfc/classifiers/forest.h"
#include "privpfc/direct/tree_method.h"
#include "privpfc/direct/tree_methods.h"
#include "privpfc/direct/tree_random.h"

namespace privpfc {

namespace {

// Many random trees, each with rows of its own; a leaf releases its majority class and nothing
// else. Every row is in one leaf of one tree, so that each leaf has the whole budget.
class FletcherIslam2016 final : public RandomTreeMethod {
 public:
  explicit FletcherIslam2016(const TreeDirectOptions& options)
      : RandomTreeMethod(
            {"forest-fletcher-islam-2016",
             "random trees on disjoint rows; each leaf votes for its (noisy) majority class",
             "S. Fletcher, M. Z. Islam, Differentially private random decision forests "
             "using smooth sensitivity, 2016"},
            ModelKind::kForest, options) {}

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const QuestionSpace questions = questions_of(setting);
    const Private<CodedRows> coded = code_rows(rows, questions);
    const std::vector<Epsilon> main = budget.epsilon().split(kMainShares);
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
    const std::size_t classes = setting.space.class_count();
    const Private<std::vector<std::uint64_t>> coins = mechanisms.draw_coins(row_count(coded));
    const Released<std::vector<std::uint64_t>> labels = mechanisms.select_in_parts(
        score_classes(coded, coins, trees.value(), classes), leaf_count(trees.value()), classes,
        Better::kHigher, ScoreRange(1), Rule::kPermuteAndFlip, std::move(budget));
    return post_process(
        [](const GrowingTrees& grown, const std::vector<std::uint64_t>& chosen,
           const QuestionSpace& space, std::size_t class_count) {
          std::vector<Cart> carts;
          std::span<const std::uint64_t> left(chosen);
          for (const GrowingTree& tree : grown) {
            const std::size_t leaves = leaves_of(tree).size();
            carts.push_back(label_leaves(tree, space, left.first(leaves), class_count));
            left = left.subspan(leaves);
          }
          return make_forest(std::move(carts), Combine::kVotes);
        },
        trees, labels, as_public(questions), as_public(classes));
  }

 protected:
  std::size_t most_trees_by_rule(const DirectSetting&) const override { return 100; }
};

}  // namespace

std::unique_ptr<DirectMethod> make_forest_fletcher_islam_2016(const TreeDirectOptions& options) {
  return std::make_unique<FletcherIslam2016>(options);
}

}  // namespace privpfc
