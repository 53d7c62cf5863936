#include "privpfc/direct/tree_growth.h"

#include <cmath>
#include <utility>

#include "privpfc/base/contract.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/direct/tree_scoring.h"

namespace privpfc {

namespace {

constexpr std::uint32_t kNowhere = 0xFFFF'FFFF;

// By node: its place in `nodes`.
std::vector<std::uint32_t> positions(const std::vector<std::uint32_t>& nodes,
                                     std::size_t node_count) {
  std::vector<std::uint32_t> position(node_count, kNowhere);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    position[nodes[i]] = static_cast<std::uint32_t>(i);
  }
  return position;
}

std::uint32_t descend(const CodedRows& rows, const GrowingTree& tree, std::uint32_t node,
                      std::size_t row) {
  while (tree[node].yes != 0) {
    const Question& question = tree[node].question;
    node = question.says_yes(rows.codes[question.feature][row]) ? tree[node].yes : tree[node].no;
  }
  return node;
}

// By tree, then by node: the number of the leaf among all leaves.
std::vector<std::vector<std::uint32_t>> leaf_numbers(const GrowingTrees& trees) {
  std::vector<std::vector<std::uint32_t>> numbers;
  std::uint32_t next = 0;
  for (const GrowingTree& tree : trees) {
    std::vector<std::uint32_t>& own = numbers.emplace_back(tree.size(), kNowhere);
    for (const std::uint32_t leaf : leaves_of(tree)) own[leaf] = next++;
  }
  return numbers;
}

}  // namespace

std::vector<std::uint32_t> open_nodes(const GrowingTree& tree) {
  std::vector<std::uint32_t> nodes;
  for (std::size_t n = 0; n < tree.size(); ++n) {
    if (tree[n].yes == 0 && tree[n].open) nodes.push_back(static_cast<std::uint32_t>(n));
  }
  return nodes;
}

std::vector<std::uint32_t> leaves_of(const GrowingTree& tree) {
  std::vector<std::uint32_t> nodes;
  for (std::size_t n = 0; n < tree.size(); ++n) {
    if (tree[n].yes == 0) nodes.push_back(static_cast<std::uint32_t>(n));
  }
  return nodes;
}

std::size_t leaf_count(const GrowingTrees& trees) {
  std::size_t count = 0;
  for (const GrowingTree& tree : trees) count += leaves_of(tree).size();
  return count;
}

GrowingTree with_questions(GrowingTree tree, std::span<const std::uint32_t> nodes,
                           std::span<const Question> questions) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto yes = static_cast<std::uint32_t>(tree.size());
    const std::uint32_t depth = tree[nodes[i]].depth + 1;
    tree.resize(tree.size() + 2);
    tree[yes].depth = tree[yes + 1].depth = depth;
    GrowingNode& node = tree[nodes[i]];
    node.question = questions[i];
    node.yes = yes;
    node.no = yes + 1;
  }
  return tree;
}

Private<CodedRows> code_rows(const Private<Dataset>& rows, const QuestionSpace& questions) {
  return transform(
      [](const Dataset& data, const QuestionSpace& space) {
        require(data.count() <= kMostRows, "a table has fewer than 2^31 rows");
        CodedRows coded;
        coded.count = data.count();
        coded.labels = data.labels;
        for (std::uint32_t f = 0; f < space.feature_count(); ++f) {
          std::vector<std::uint16_t>& codes = coded.codes.emplace_back();
          const FeatureColumn& column = data.rows.columns[f];
          if (!space.is_number(f)) {
            codes = column.codes;
            continue;
          }
          codes.reserve(data.count());
          for (const double number : column.numbers) {
            codes.push_back(std::isnan(number) ? kMissingCode : space.code_of(f, number));
          }
        }
        return coded;
      },
      rows, questions);
}

Private<std::size_t> row_count(const Private<CodedRows>& rows) {
  return transform([](const CodedRows& coded) { return coded.count; }, rows);
}

Private<Places> at_root(const Private<CodedRows>& rows) {
  return transform([](const CodedRows& coded) { return Places(coded.count, 0); }, rows);
}

Private<Places> move_down(const Private<CodedRows>& rows, Private<Places> places,
                          const GrowingTree& tree) {
  return transform(
      [](const CodedRows& coded, Places&& before, const GrowingTree& grown) {
        Places after = std::move(before);
        for (std::size_t i = 0; i < coded.count; ++i) {
          after[i] = descend(coded, grown, after[i], i);
        }
        return after;
      },
      rows, std::move(places), tree);
}

Private<PartScores> score_questions(const Private<CodedRows>& rows, const Private<Places>& places,
                                    std::span<const std::uint32_t> nodes, std::size_t node_count,
                                    const QuestionSpace& questions, const ImpurityScore& score,
                                    std::size_t classes, unsigned threads) {
  const std::vector<std::uint32_t> listed(nodes.begin(), nodes.end());
  return transform(
      [](const CodedRows& coded, const Places& at, const std::vector<std::uint32_t>& wanted,
         std::size_t all, const QuestionSpace& space, const ImpurityScore& impurity,
         std::size_t class_count, unsigned thread_count) {
        // The rows of each wanted node, together.
        const std::vector<std::uint32_t> position = positions(wanted, all);
        RowGroups groups;
        groups.begins.assign(wanted.size() + 1, 0);
        for (std::size_t i = 0; i < coded.count; ++i) {
          if (position[at[i]] != kNowhere) ++groups.begins[position[at[i]] + 1];
        }
        for (std::size_t g = 1; g < groups.begins.size(); ++g) {
          groups.begins[g] += groups.begins[g - 1];
        }
        std::vector<std::size_t> next(groups.begins.begin(), groups.begins.end() - 1);
        groups.rows.resize(groups.begins.back());
        for (std::size_t i = 0; i < coded.count; ++i) {
          const std::uint32_t group = position[at[i]];
          if (group != kNowhere) groups.rows[next[group]++] = static_cast<std::uint32_t>(i);
        }
        return impurity_runs(coded, groups, space, impurity, class_count, thread_count);
      },
      rows, places, listed, node_count, questions, score, classes, threads);
}

Private<std::vector<std::int64_t>> count_rows(const Private<Places>& places,
                                              std::span<const std::uint32_t> nodes,
                                              std::size_t node_count) {
  const std::vector<std::uint32_t> listed(nodes.begin(), nodes.end());
  return transform(
      [](const Places& at, const std::vector<std::uint32_t>& wanted, std::size_t all) {
        const std::vector<std::uint32_t> position = positions(wanted, all);
        std::vector<std::int64_t> counts(wanted.size(), 0);
        for (const std::uint32_t node : at) {
          if (position[node] != kNowhere) ++counts[position[node]];
        }
        return counts;
      },
      places, listed, node_count);
}

Private<std::vector<std::int64_t>> count_leaves(const Private<CodedRows>& rows,
                                                const GrowingTrees& trees, std::size_t classes) {
  return transform(
      [](const CodedRows& coded, const GrowingTrees& grown, std::size_t class_count) {
        const auto numbers = leaf_numbers(grown);
        std::vector<std::int64_t> counts(leaf_count(grown) * class_count, 0);
        for (std::size_t t = 0; t < grown.size(); ++t) {
          for (std::size_t i = 0; i < coded.count; ++i) {
            const std::uint32_t leaf = numbers[t][descend(coded, grown[t], 0, i)];
            ++counts[leaf * class_count + coded.labels[i]];
          }
        }
        return counts;
      },
      rows, trees, classes);
}

Private<PartScores> score_classes(const Private<CodedRows>& rows,
                                  const Private<std::vector<std::uint64_t>>& coins,
                                  const GrowingTrees& trees, std::size_t classes) {
  return transform(
      [](const CodedRows& coded, const std::vector<std::uint64_t>& coin, const GrowingTrees& grown,
         std::size_t class_count) {
        const auto numbers = leaf_numbers(grown);
        PartScores scores(leaf_count(grown), std::vector<ScoreRun>(class_count, ScoreRun{0, 1}));
        for (std::size_t i = 0; i < coded.count; ++i) {
          const std::size_t t = coin[i] % grown.size();
          const std::uint32_t leaf = numbers[t][descend(coded, grown[t], 0, i)];
          ++scores[leaf][coded.labels[i]].score;
        }
        return scores;
      },
      rows, coins, trees, classes);
}

}  // namespace privpfc
