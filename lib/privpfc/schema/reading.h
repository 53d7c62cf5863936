#pragma once

// Internal to the schema reader: what its parts share.

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privpfc/schema/attribute.h"
#include "privpfc/schema/findings.h"
#include "privpfc/schema/yaml_document.h"

namespace privpfc::internal {

// Collects what is noticed, so that one reading reports every mistake and not only the first.
class Reading {
 public:
  explicit Reading(Findings& findings) : findings_(findings) {}

  template <typename... Args>
  void error(Position at, fmt::format_string<Args...> format, Args&&... args) {
    findings_.push_back({Severity::kError, at, fmt::format(format, std::forward<Args>(args)...)});
  }
  template <typename... Args>
  void warning(Position at, fmt::format_string<Args...> format, Args&&... args) {
    findings_.push_back({Severity::kWarning, at, fmt::format(format, std::forward<Args>(args)...)});
  }
  template <typename... Args>
  void limit(Position at, fmt::format_string<Args...> format, Args&&... args) {
    findings_.push_back({Severity::kError, at, fmt::format(format, std::forward<Args>(args)...),
                         ErrorKind::kLimit});
  }

  std::size_t error_count() const;

  // Says which keys of `map` are not among `allowed`. `what` names the map in the message.
  void check_keys(const YamlNode& map, std::string_view what,
                  std::initializer_list<std::string_view> allowed);

  // Text that may be used as a name or category: not empty, no control characters, valid UTF-8, not
  // too long. The error, if any, has been noted.
  std::optional<std::string> text(const YamlNode& node, std::string_view what);
  std::optional<std::vector<std::string>> text_list(const YamlNode& node, std::string_view what);
  std::optional<bool> boolean(const YamlNode& node, std::string_view what);

  // A column by name, or by position counted from 1. `column_of` is the same without a word.
  std::optional<ColumnRef> column(const YamlNode& node);
  static std::optional<ColumnRef> column_of(const YamlNode& node);

  // Free text, possibly empty.
  std::string prose(const YamlNode& map, std::string_view key);

 private:
  Findings& findings_;
};

// A tree with the places of its nodes, and for numeric attributes the interval of each leaf.
struct PlacedNode {
  std::string label;
  Position at;
  std::vector<PlacedNode> children;
  const YamlNode* value = nullptr;  // what stands behind the label when it is no group
};

// read_tree.cc
struct PlacedTree {
  std::vector<PlacedNode> nodes;
  bool is_complete = true;  // every label could be read, if not all of it made sense
};
// Reads nested groups. With `leaf_values`, a leaf may have a value (a bin's interval) behind it.
// Notes empty groups and what is no label; returns what could be read.
PlacedTree read_tree(const YamlNode& node, bool leaf_values, Reading& reading);
void check_labels(const std::vector<PlacedNode>& tree, Reading& reading);
std::size_t count_leaves(const std::vector<PlacedNode>& tree);
std::vector<TreeNode> plain_tree(const std::vector<PlacedNode>& tree);

// read_bins.cc
struct BinnedDomain {
  Bins bins;
  std::vector<TreeNode> tree;  // its leaves are the bins, in order
};
std::optional<BinnedDomain> read_bins(const YamlNode& map, AttributeKind kind, Reading& reading);

// read_attribute.cc
std::optional<Attribute> read_attribute(const YamlNode& name, const YamlNode& node,
                                        Reading& reading);

// Adds `aliases: {name: [spelling, ...]}` to the spellings of `names`, and sorts them. Any index
// type: leaves and classes alike. Without `all_names`, some could not be read: an unknown name may
// be one of those.
template <typename Index>
void read_aliases(const YamlNode& map, const std::vector<std::string>& names, bool all_names,
                  std::vector<std::pair<std::string, Index>>& spellings, Reading& reading);

// The texts of a list that stand in it already, before them.
std::vector<const YamlNode*> repeated_texts(const YamlNode& list);

}  // namespace privpfc::internal
