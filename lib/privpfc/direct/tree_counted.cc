#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "privpfc/direct/tree_count_growth.h"
#include "privpfc/direct/tree_method.h"
#include "privpfc/direct/tree_methods.h"

namespace privpfc {

namespace {

// Trees from noisy counts. They differ in the impurity, in how finely attributes are seen, and in
// whether an attribute is asked about twice.
struct CountedTree {
  Impurity impurity = Impurity::kGini;
  bool asks_once = true;
  std::size_t most_nodes = 4;  // of the level at which an attribute is seen
  std::size_t least_depth = 2;
  double rows_per_leaf = 1'000;  // for the default depth, in units of the noise
};

class Counted final : public TreeMethod {
 public:
  Counted(const Text& text, const CountedTree& how, const TreeDirectOptions& options)
      : TreeMethod(text, ModelKind::kTree, options), how_(how) {}

  std::vector<AttributeView> views(const Schema& schema, Epsilon) const override {
    return category_views(schema, how_.most_nodes);
  }

  Status check(const DirectSetting& setting, Epsilon epsilon) const override {
    PRIVPFC_TRY(TreeMethod::check(setting, epsilon));
    const std::size_t most = deepest_by_counts(setting.space);
    if (options().depth.value_or(1) <= most) return {};
    return make_error(ErrorKind::kLimit,
                      "{} of depth {} would count more than {} million values and classes in one "
                      "level; {}",
                      name(), options().depth.value_or(1), kMostCounts >> 20,
                      most == 0 ? "give attributes with many values coarser levels"
                                : fmt::format("at most {} deep is possible", most));
  }

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const QuestionSpace questions(setting.schema, setting.space, QuestionWeights::kEqual);
    const Private<CodedRows> coded = code_rows(rows, questions);
    const std::vector<Epsilon> main = budget.epsilon().split(kMainShares);
    const Released<std::int64_t> estimate = estimate_rows(coded, mechanisms, budget.take(main[0]));
    const double epsilon_rows = as_real(main[1]) * static_cast<double>(estimate.value());
    const std::size_t depth = options().depth.value_or(
        std::min({depth_for(epsilon_rows, how_.rows_per_leaf, how_.least_depth, 5),
                  deepest(setting, 1), deepest_by_counts(setting.space)}));

    // One part for every histogram that a row is in, and one for its leaf.
    CountGrowth growth;
    growth.impurity = how_.impurity;
    growth.asks_once = how_.asks_once;
    std::vector<std::uint64_t> shares;
    for (std::size_t level = 0; level < depth; ++level) {
      shares.push_back(features_at(questions, growth, level));
    }
    shares.push_back(1);
    growth.levels = main[1].split(shares);
    const double leaf_noise = 1 / as_real(std::max(growth.levels.back(), Epsilon::from_units(1)));
    growth.levels.pop_back();
    const Released<GrowingTree> tree =
        grow_by_counts(coded, questions, growth, setting, mechanisms, budget);
    const LeafRule rule{setting.space.class_count(), leaf_noise, Pruning::kNone, false};
    return count_and_finish(coded, only_tree(tree), questions, rule, false, mechanisms,
                            std::move(budget));
  }

 private:
  // Per mille: the number of rows; counts.
  static constexpr std::array<std::uint64_t, 2> kMainShares = {10, 990};

  // Of a level, all nodes together.
  static constexpr std::uint64_t kMostCounts = std::uint64_t{1} << 26;

  // The deepest for which no level counts more than kMostCounts: every node has a histogram of each
  // attribute.
  static std::size_t deepest_by_counts(const FeatureSpace& space) {
    std::uint64_t counts = 0;
    for (const Feature& feature : space.features) counts += feature.categories.size() + 1;
    counts *= space.class_count();
    std::size_t depth = 0;
    while (depth < TreeDirectOptions::kMostDepth && (counts << depth) <= kMostCounts) ++depth;
    return depth;
  }

  CountedTree how_;
};

}  // namespace

std::unique_ptr<DirectMethod> make_tree_cart(const TreeDirectOptions& options) {
  return std::make_unique<Counted>(
      TreeMethod::Text{
          "tree-cart", "CART from noisy counts of attributes at public cut-points",
          "M. Lopuhaa-Zwakenberg et al., Comparing classifiers' performance under differential "
          "privacy, 2021"},
      CountedTree{Impurity::kGini, true, 4, 3, 1'000}, options);
}

std::unique_ptr<DirectMethod> make_tree_sulq_id3(const TreeDirectOptions& options) {
  return std::make_unique<Counted>(
      TreeMethod::Text{"tree-sulq-id3", "ID3 from noisy counts, attributes seen finely",
                       "A. Blum, C. Dwork, F. McSherry, K. Nissim, Practical privacy: the SuLQ "
                       "framework, PODS 2005"},
      CountedTree{Impurity::kEntropy, false, 16, 2, 3'000}, options);
}

}  // namespace privpfc
