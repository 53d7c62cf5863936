#include <algorithm>
#include <array>
#include <utility>

#include "privpfc/direct/tree_method.h"
#include "privpfc/direct/tree_methods.h"

namespace privpfc {

namespace {

// Greedy, one question to the data per level and an equal part of the budget for each, the leaves'
// being one of them. Numbers are bins, so that there are few candidates and permute-and-flip can
// choose among them.
class Mohammed final : public TreeMethod {
 public:
  explicit Mohammed(const TreeDirectOptions& options)
      : TreeMethod({"tree-mohammed", "one greedy tree; one query per level, numbers as bins",
                    "N. Mohammed, S. Barouti, D. Alhadidi, R. Chen, Secure and private management "
                    "of healthcare databases for data mining, 2015"},
                   ModelKind::kTree, options) {}

  std::vector<AttributeView> views(const Schema& schema, Epsilon) const override {
    return category_views(schema, kMostNodes);
  }

  Status check(const DirectSetting& setting, Epsilon epsilon) const override {
    PRIVPFC_TRY(TreeMethod::check(setting, epsilon));
    const std::uint64_t questions =
        QuestionSpace(setting.schema, setting.space, QuestionWeights::kEqual).candidate_count();
    if (questions <= Mechanisms::kMostFlips) return {};
    return make_error(
        ErrorKind::kLimit,
        "tree-mohammed would choose among {} questions, at most {} are possible; give "
        "attributes with many values coarser levels, or take another method",
        questions, Mechanisms::kMostFlips);
  }

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const QuestionSpace questions(setting.schema, setting.space, QuestionWeights::kEqual);
    const Private<CodedRows> coded = code_rows(rows, questions);
    const std::vector<Epsilon> main = budget.epsilon().split(kMainShares);
    const Released<std::int64_t> estimate = estimate_rows(coded, mechanisms, budget.take(main[0]));
    const double epsilon_rows = as_real(main[1]) * static_cast<double>(estimate.value());
    const std::size_t depth =
        options().depth.value_or(std::min(depth_for(epsilon_rows, 600, 3, 8), deepest(setting, 1)));
    GreedyGrowth growth;
    growth.score = options().score.value_or(SplitScore::kGini);
    growth.rule = Rule::kPermuteAndFlip;
    growth.splits = main[1].split(std::vector<std::uint64_t>(depth + 1, 1));
    const double leaf_noise = 1 / as_real(growth.splits.back());
    growth.splits.pop_back();
    const Released<GrowingTree> tree =
        grow_greedy(coded, questions, growth, estimate.value(), setting, mechanisms, budget);
    const LeafRule rule{setting.space.class_count(), leaf_noise, Pruning::kNone, false};
    return count_and_finish(coded, only_tree(tree), questions, rule, false, mechanisms,
                            std::move(budget));
  }

 private:
  // Per mille: the number of rows; all levels.
  static constexpr std::array<std::uint64_t, 2> kMainShares = {10, 990};
  static constexpr std::size_t kMostNodes = 1'000;
};

}  // namespace

std::unique_ptr<DirectMethod> make_tree_mohammed(const TreeDirectOptions& options) {
  return std::make_unique<Mohammed>(options);
}

}  // namespace privpfc
