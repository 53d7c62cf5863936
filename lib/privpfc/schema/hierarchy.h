#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "privpfc/base/strong_index.h"

namespace privpfc {

// A tree as a person writes it: a node without children is a leaf.
struct TreeNode {
  std::string label;
  std::vector<TreeNode> children;
};

// A taxonomy of one attribute's values, seen as levels: horizontal cuts, each finer than the one
// before. Level 0 has one node, the root; the last level has the leaves. A leaf that ends early
// stands for itself at every deeper level. Levels that would be equal are kept once.
//
// Leaves are numbered in the order of the tree, so every node of every level is a run of leaves.
class Hierarchy {
 public:
  // A single leaf under the root: the attribute carries nothing.
  Hierarchy();

  // Requires at least one leaf below `roots_children`, and at most kMaxLeaves.
  static Hierarchy from_tree(const std::vector<TreeNode>& roots_children);

  static constexpr std::size_t kMaxLeaves = 65'000;  // so that a leaf code fits 16 bits
  static constexpr std::size_t kMaxDepth = 64;

  std::size_t leaf_count() const { return leaf_labels().size(); }
  std::size_t level_count() const { return levels_.size(); }
  LevelIndex finest_level() const { return LevelIndex(levels_.size() - 1); }
  std::size_t node_count(LevelIndex level) const { return levels_[level.value()].labels.size(); }

  const std::string& label(LevelIndex level, NodeIndex node) const {
    return levels_[level.value()].labels[node.value()];
  }
  std::span<const std::string> labels(LevelIndex level) const {
    return levels_[level.value()].labels;
  }
  const std::string& leaf_label(LeafIndex leaf) const { return leaf_labels()[leaf.value()]; }

  // The node of `level` above each leaf, by leaf index. Non-decreasing.
  std::span<const std::uint16_t> nodes_of_leaves(LevelIndex level) const {
    return levels_[level.value()].node_of_leaf;
  }
  NodeIndex node_of(LevelIndex level, LeafIndex leaf) const {
    return NodeIndex(std::uint32_t{levels_[level.value()].node_of_leaf[leaf.value()]});
  }

  // The tree below the root, rebuilt from the levels: from_tree(tree()) is this hierarchy again.
  std::vector<TreeNode> tree() const;

  friend bool operator==(const Hierarchy&, const Hierarchy&) = default;

 private:
  struct Level {
    std::vector<std::string> labels;
    std::vector<std::uint16_t> node_of_leaf;
    friend bool operator==(const Level&, const Level&) = default;
  };
  explicit Hierarchy(std::vector<Level> levels) : levels_(std::move(levels)) {}
  const std::vector<std::string>& leaf_labels() const { return levels_.back().labels; }

  std::vector<Level> levels_;
};

}  // namespace privpfc
