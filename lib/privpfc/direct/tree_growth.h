#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/direct/tree_questions.h"
#include "privpfc/direct/tree_scores.h"
#include "privpfc/privacy/mechanisms.h"

namespace privpfc {

// Trees that grow on private rows. What is known of a tree (which questions it asks) is released
// from the start; the rows only ever pass through it inside `transform`. The nodes of one level are
// disjoint parts of the rows: one budget pays for all of them. Proof: trees.md.

// One node of a tree as far as it has grown.
struct GrowingNode {
  std::uint32_t yes = 0;  // 0: no question yet
  std::uint32_t no = 0;
  Question question;
  std::uint32_t depth = 0;
  bool open = true;  // may be split
};

// Node 0 is the root; children come after their parents.
using GrowingTree = std::vector<GrowingNode>;
using GrowingTrees = std::vector<GrowingTree>;

// The nodes that may be split, in order; the leaves, in order.
std::vector<std::uint32_t> open_nodes(const GrowingTree& tree);
std::vector<std::uint32_t> leaves_of(const GrowingTree& tree);

// The tree with this question asked in each of `nodes`.
GrowingTree with_questions(GrowingTree tree, std::span<const std::uint32_t> nodes,
                           std::span<const Question> questions);

// Private rows as codes (tree_questions.h), and the node that each has come to.
struct CodedRows {
  std::size_t count = 0;
  std::vector<std::vector<std::uint16_t>> codes;  // by feature of the space
  std::vector<std::uint8_t> labels;
};
using Places = std::vector<std::uint32_t>;

Private<CodedRows> code_rows(const Private<Dataset>& rows, const QuestionSpace& questions);
Private<std::size_t> row_count(const Private<CodedRows>& rows);

// Every row at the root; and every row on its way down as far as the tree goes.
Private<Places> at_root(const Private<CodedRows>& rows);
Private<Places> move_down(const Private<CodedRows>& rows, Private<Places> places,
                          const GrowingTree& tree);

// By node of `nodes`: the impurity of every candidate question, in the rows that are there.
Private<PartScores> score_questions(const Private<CodedRows>& rows, const Private<Places>& places,
                                    std::span<const std::uint32_t> nodes, std::size_t node_count,
                                    const QuestionSpace& questions, const ImpurityScore& score,
                                    std::size_t classes, unsigned threads);

// By node of `nodes`: how many rows are there.
Private<std::vector<std::int64_t>> count_rows(const Private<Places>& places,
                                              std::span<const std::uint32_t> nodes,
                                              std::size_t node_count);

// By leaf of all trees, one after the other, and by class. A row counts once in every tree.
Private<std::vector<std::int64_t>> count_leaves(const Private<CodedRows>& rows,
                                                const GrowingTrees& trees, std::size_t classes);

// The same as scores, in leaves x classes; a row counts in one tree alone, by its coin.
Private<PartScores> score_classes(const Private<CodedRows>& rows,
                                  const Private<std::vector<std::uint64_t>>& coins,
                                  const GrowingTrees& trees, std::size_t classes);

std::size_t leaf_count(const GrowingTrees& trees);

}  // namespace privpfc
