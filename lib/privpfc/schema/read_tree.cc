#include <unordered_map>

#include "privpfc/schema/reading.h"

namespace privpfc::internal {
namespace {

void read_children(const YamlNode& node, bool leaf_values, Reading& reading,
                   std::vector<PlacedNode>& children, bool& is_complete);

void add_entry(const YamlNode& key, const YamlNode& value, bool leaf_values, Reading& reading,
               std::vector<PlacedNode>& children, bool& is_complete) {
  const auto label = reading.text(key, "a group or value");
  if (!label || value.is_refused()) {
    is_complete = false;
    return;
  }
  PlacedNode child{*label, key.at, {}, nullptr};
  const bool is_number_list = leaf_values && value.is_sequence() && !value.items.empty() &&
                              (value.items.front().is_scalar() || value.items.front().is_refused());
  if (value.is_null()) {
    // a leaf
  } else if (leaf_values && (value.is_scalar() || is_number_list)) {
    child.value = &value;
  } else if (value.is_scalar()) {
    reading.error(value.at, "'{}' should hold a list; write [{}]", *label, value.scalar);
    is_complete = false;
    return;
  } else if (value.items.empty()) {
    reading.error(key.at, "the group '{}' is empty; for a value that stands for itself write '{}:'",
                  *label, *label);
    return;
  } else {
    read_children(value, leaf_values, reading, child.children, is_complete);
    if (child.children.empty()) return;  // its own errors have been noted
  }
  children.push_back(std::move(child));
}

void read_children(const YamlNode& node, bool leaf_values, Reading& reading,
                   std::vector<PlacedNode>& children, bool& is_complete) {
  if (node.is_map()) {
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      add_entry(node.keys[i], node.items[i], leaf_values, reading, children, is_complete);
    }
    return;
  }
  if (!node.is_sequence()) {
    reading.error(node.at, "expected groups {{name: [a, b]}} or a list [a, b]");
    is_complete = false;
    return;
  }
  static const YamlNode kNothing;
  for (const YamlNode& item : node.items) {
    if (item.is_map()) {
      read_children(item, leaf_values, reading, children, is_complete);
    } else {
      add_entry(item, kNothing, leaf_values, reading, children, is_complete);
    }
  }
}

void check_labels_below(const std::vector<PlacedNode>& nodes, const PlacedNode* parent,
                        std::unordered_map<std::string, std::pair<Position, std::string>>& seen,
                        Reading& reading) {
  for (const PlacedNode& node : nodes) {
    // A group whose only member has the group's own name is that member.
    const bool repeats_parent =
        parent != nullptr && nodes.size() == 1 && node.label == parent->label;
    if (!repeats_parent) {
      const std::string group = parent == nullptr ? "the top" : "'" + parent->label + "'";
      const auto [found, is_new] = seen.emplace(node.label, std::pair(node.at, group));
      if (!is_new) {
        reading.error(node.at,
                      "'{}' stands twice in the hierarchy: here under {}, and under {} at "
                      "line {}, column {}",
                      node.label, group, found->second.second, found->second.first.line,
                      found->second.first.column);
      }
    }
    check_labels_below(node.children, &node, seen, reading);
  }
}

}  // namespace

PlacedTree read_tree(const YamlNode& node, bool leaf_values, Reading& reading) {
  PlacedTree tree;
  read_children(node, leaf_values, reading, tree.nodes, tree.is_complete);
  return tree;
}

void check_labels(const std::vector<PlacedNode>& tree, Reading& reading) {
  std::unordered_map<std::string, std::pair<Position, std::string>> seen;
  check_labels_below(tree, nullptr, seen, reading);
}

std::size_t count_leaves(const std::vector<PlacedNode>& tree) {
  std::size_t leaves = 0;
  for (const PlacedNode& node : tree) {
    leaves += node.children.empty() ? 1 : count_leaves(node.children);
  }
  return leaves;
}

std::vector<TreeNode> plain_tree(const std::vector<PlacedNode>& tree) {
  std::vector<TreeNode> plain;
  for (const PlacedNode& node : tree) {
    plain.push_back({node.label, plain_tree(node.children)});
  }
  return plain;
}

}  // namespace privpfc::internal
