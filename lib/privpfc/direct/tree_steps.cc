#include "privpfc/direct/tree_steps.h"

#include <algorithm>
#include <utility>

#include "privpfc/classifiers/forest.h"
#include "privpfc/classifiers/tree.h"

namespace privpfc {

Released<std::int64_t> estimate_rows(const Private<CodedRows>& rows, Mechanisms& mechanisms,
                                     Budget part) {
  const auto count = transform(
      [](const CodedRows& coded) {
        return std::vector<std::int64_t>{static_cast<std::int64_t>(coded.count)};
      },
      rows);
  return post_process(
      [](const std::vector<std::int64_t>& noisy) { return std::max<std::int64_t>(1, noisy[0]); },
      mechanisms.noisy_counts(count, 1, L1Sensitivity(1), std::move(part)));
}

Released<GrowingTree> grow_greedy(const Private<CodedRows>& rows, const QuestionSpace& questions,
                                  const GreedyGrowth& growth, std::int64_t row_estimate,
                                  const DirectSetting& setting, Mechanisms& mechanisms,
                                  Budget& budget) {
  Released<GrowingTree> tree = post_process([] { return GrowingTree(1); });
  if (questions.candidate_count() == 0) return tree;
  const ImpurityScore score(growth.score, row_estimate);
  const std::size_t classes = setting.space.class_count();
  Private<Places> places = at_root(rows);
  for (std::size_t level = 0; level < growth.splits.size(); ++level) {
    if (growth.splits[level] == Epsilon()) break;
    if (level < growth.supports.size() && growth.supports[level] != Epsilon()) {
      const std::vector<std::uint32_t> asked = open_nodes(tree.value());
      if (asked.empty()) break;
      const auto supports =
          mechanisms.noisy_counts(count_rows(places, asked, tree.value().size()), asked.size(),
                                  L1Sensitivity(1), budget.take(growth.supports[level]));
      tree = post_process(
          [](const GrowingTree& before, const std::vector<std::int64_t>& counts, double least) {
            GrowingTree after = before;
            const std::vector<std::uint32_t> nodes = open_nodes(before);
            for (std::size_t i = 0; i < nodes.size(); ++i) {
              after[nodes[i]].open = static_cast<double>(counts[i]) >= least;
            }
            return after;
          },
          tree, supports, as_public(growth.least_support));
    }
    const std::vector<std::uint32_t> nodes = open_nodes(tree.value());
    if (nodes.empty()) break;
    const Released<std::vector<std::uint64_t>> choices =
        mechanisms.select_in_parts(score_questions(rows, places, nodes, tree.value().size(),
                                                   questions, score, classes, setting.threads),
                                   nodes.size(), questions.candidate_count(), Better::kLower,
                                   score.range(), growth.rule, budget.take(growth.splits[level]));
    tree = post_process(
        [](const GrowingTree& before, const std::vector<std::uint64_t>& chosen,
           const QuestionSpace& space) {
          std::vector<Question> asked;
          for (const std::uint64_t candidate : chosen)
            asked.push_back(space.question_of(candidate));
          return with_questions(before, open_nodes(before), asked);
        },
        tree, choices, as_public(questions));
    places = move_down(rows, std::move(places), tree.value());
  }
  return tree;
}

Released<GrowingTrees> only_tree(const Released<GrowingTree>& tree) {
  return post_process([](const GrowingTree& one) { return GrowingTrees{one}; }, tree);
}

Released<std::unique_ptr<Model>> count_and_finish(const Private<CodedRows>& rows,
                                                  const Released<GrowingTrees>& trees,
                                                  const QuestionSpace& questions,
                                                  const LeafRule& rule, bool as_forest,
                                                  Mechanisms& mechanisms, Budget budget) {
  const Released<std::vector<std::int64_t>> counts = mechanisms.noisy_counts(
      count_leaves(rows, trees.value(), rule.classes), leaf_count(trees.value()) * rule.classes,
      L1Sensitivity(trees.value().size()), std::move(budget));
  return post_process(
      [](const GrowingTrees& grown, const std::vector<std::int64_t>& noisy,
         const QuestionSpace& space, const LeafRule& how, bool forest) {
        std::vector<Cart> carts = finish_trees(grown, space, noisy, how);
        return forest ? make_forest(std::move(carts), Combine::kShares)
                      : make_tree(std::move(carts[0]));
      },
      trees, counts, as_public(questions), as_public(rule), as_public(as_forest));
}

}  // namespace privpfc
