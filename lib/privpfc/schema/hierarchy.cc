#include "privpfc/schema/hierarchy.h"

#include <algorithm>
#include <limits>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

struct Leaf {
  // The labels from the root's child down to the leaf, each with the number of that tree node, so
  // that two nodes of the same name stay apart.
  std::vector<std::pair<std::uint32_t, const std::string*>> path;
};

void collect_leaves(const TreeNode& node, std::uint32_t& next_number, Leaf& path,
                    std::vector<Leaf>& leaves) {
  path.path.emplace_back(next_number++, &node.label);
  if (node.children.empty()) leaves.push_back(path);
  for (const TreeNode& child : node.children) collect_leaves(child, next_number, path, leaves);
  path.path.pop_back();
}

}  // namespace

Hierarchy::Hierarchy() {
  *this = from_tree({TreeNode{"any", {}}});
}

Hierarchy Hierarchy::from_tree(const std::vector<TreeNode>& roots_children) {
  std::vector<Leaf> leaves;
  std::uint32_t next_number = 0;
  Leaf path;
  for (const TreeNode& child : roots_children) collect_leaves(child, next_number, path, leaves);
  require(!leaves.empty() && leaves.size() <= kMaxLeaves, "a hierarchy has 1 to 65,000 leaves");

  std::size_t depth = 0;
  for (const Leaf& leaf : leaves) depth = std::max(depth, leaf.path.size());

  Hierarchy hierarchy{std::vector<Level>{}};
  hierarchy.levels_.push_back({{"any"}, std::vector<std::uint16_t>(leaves.size(), 0)});
  for (std::size_t level = 0; level < depth; ++level) {
    Level next;
    std::uint32_t last_number = std::numeric_limits<std::uint32_t>::max();
    for (const Leaf& leaf : leaves) {
      const auto& [number, label] = leaf.path[std::min(level, leaf.path.size() - 1)];
      if (next.labels.empty() || number != last_number) next.labels.push_back(*label);
      last_number = number;
      next.node_of_leaf.push_back(static_cast<std::uint16_t>(next.labels.size() - 1));
    }
    // A level that splits nothing adds nothing but names; the deeper, more telling ones are kept.
    if (next.labels.size() == hierarchy.levels_.back().labels.size()) {
      hierarchy.levels_.back() = std::move(next);
    } else {
      hierarchy.levels_.push_back(std::move(next));
    }
  }
  if (leaves.size() > 1) hierarchy.levels_.front().labels = {"any"};
  return hierarchy;
}

std::vector<TreeNode> Hierarchy::tree() const {
  // Built from the finest level upward. A leaf that ended early stands in several levels under its
  // own name, and is one node of the tree.
  struct Run {
    std::size_t begin, end;
    TreeNode node;
  };
  std::vector<Run> runs;
  for (std::size_t leaf = 0; leaf < leaf_count(); ++leaf) {
    runs.push_back({leaf, leaf + 1, TreeNode{leaf_labels()[leaf], {}}});
  }
  for (std::size_t level = level_count() - 1; level-- > 1;) {
    std::vector<Run> above;
    for (Run& run : runs) {
      const std::uint16_t node = levels_[level].node_of_leaf[run.begin];
      if (above.empty() || levels_[level].node_of_leaf[above.back().begin] != node) {
        above.push_back({run.begin, run.end, TreeNode{levels_[level].labels[node], {}}});
      }
      above.back().end = run.end;
      above.back().node.children.push_back(std::move(run.node));
    }
    for (Run& run : above) {
      if (run.node.children.size() == 1 && run.node.children.front().children.empty() &&
          run.node.children.front().label == run.node.label) {
        TreeNode only = std::move(run.node.children.front());
        run.node = std::move(only);
      }
    }
    runs = std::move(above);
  }
  std::vector<TreeNode> children;
  for (Run& run : runs) children.push_back(std::move(run.node));
  return children;
}

}  // namespace privpfc
