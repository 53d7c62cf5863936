#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "privpfc/schema/hierarchy_exchange.h"
#include "privpfc/schema/import_tree.h"
#include "privpfc/schema/interval.h"

namespace privpfc {
namespace {

constexpr std::size_t kMaxColumns = Hierarchy::kMaxDepth;

// The fields of one line; quotes as in CSV. Nothing when a quote stays open.
std::optional<std::vector<std::string>> split_line(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  return fields;
}

std::string quote_field(const std::string& field, char separator) {
  if (field.find(separator) == std::string::npos && field.find('"') == std::string::npos) {
    return field;
  }
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::size_t count_leaves(const std::vector<TreeNode>& tree) {
  std::size_t leaves = 0;
  for (const TreeNode& node : tree) {
    leaves += node.children.empty() ? 1 : count_leaves(node.children);
  }
  return leaves;
}

// Puts one path, root first, into the tree.
void insert_path(std::vector<TreeNode>& tree, const std::vector<std::string>& path) {
  std::vector<TreeNode>* level = &tree;
  for (const std::string& label : path) {
    auto found = std::find_if(level->rbegin(), level->rend(),
                              [&](const TreeNode& node) { return node.label == label; });
    if (found == level->rend()) {
      level->push_back({label, {}});
      found = level->rbegin();
    }
    level = &found->children;
  }
}

// The last column is the root if it is the same on every line; otherwise it is the coarsest level.
// ARX repeats a value that has no group of its own; the tree names it once.
std::vector<TreeNode> tree_of_rows(const std::vector<std::vector<std::string>>& rows) {
  const bool has_root = std::all_of(rows.begin(), rows.end(), [&](const auto& fields) {
    return fields.back() == rows.front().back();
  });
  std::vector<TreeNode> tree;
  for (const auto& fields : rows) {
    std::vector<std::string> path;
    for (std::size_t i = fields.size() - (has_root ? 1 : 0); i-- > 0;) {
      if (path.empty() || path.back() != fields[i]) path.push_back(fields[i]);
    }
    insert_path(tree, path);
  }
  return tree;
}

// The value itself, then each level's node above it that is not the same node again.
std::vector<std::string> path_to_root(const Hierarchy& hierarchy, LeafIndex leaf) {
  std::vector<std::string> path;
  for (std::size_t level = hierarchy.level_count(); level-- > 1;) {
    path.push_back(hierarchy.label(LevelIndex(level), hierarchy.node_of(LevelIndex(level), leaf)));
  }
  path.emplace_back("*");
  return path;
}

constexpr double kMaxListedValues = 100'000;

}  // namespace

Result<Attribute> import_arx_csv(std::string_view csv, const std::string& attribute_name,
                                 char separator) {
  std::vector<std::vector<std::string>> rows;
  std::unordered_map<std::string, std::size_t> first_line;
  std::size_t line_number = 0;
  if (csv.starts_with("\xef\xbb\xbf")) csv.remove_prefix(3);
  while (!csv.empty()) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    std::string_view line = csv.substr(0, end);
    csv.remove_prefix(std::min(end + 1, csv.size()));
    ++line_number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    auto fields = split_line(line, separator);
    if (!fields) {
      return make_error(ErrorKind::kSchema, "line {}: a quote is not closed", line_number);
    }
    if (fields->size() == 1) {
      return make_error(ErrorKind::kSchema,
                        "line {} has one column: expected a value, its groups and the root, "
                        "separated by '{}'; name another separator by --separator",
                        line_number, separator);
    }
    const std::size_t columns = rows.empty() ? fields->size() : rows.front().size();
    if (fields->size() != columns || columns > kMaxColumns) {
      return make_error(ErrorKind::kSchema,
                        "line {} has {} columns where the first has {}: a value without its "
                        "groups, or another separator than '{}'",
                        line_number, fields->size(), columns, separator);
    }
    const auto [found, is_new] = first_line.emplace(fields->front(), line_number);
    if (!is_new) {
      return make_error(ErrorKind::kSchema, "'{}' stands on lines {} and {}", fields->front(),
                        found->second, line_number);
    }
    if (first_line.size() > Hierarchy::kMaxLeaves - 2) {
      return make_error(ErrorKind::kLimit, "more than {} values", Hierarchy::kMaxLeaves - 2);
    }
    rows.push_back(std::move(*fields));
  }
  if (rows.empty()) return make_error(ErrorKind::kSchema, "the file is empty");
  const std::vector<TreeNode> tree = tree_of_rows(rows);
  if (count_leaves(tree) != first_line.size()) {
    return make_error(ErrorKind::kSchema, "a value is also the name of a group");
  }
  return internal::attribute_of_tree(attribute_name, tree);
}

Result<std::string> export_arx_csv(const Attribute& attribute, char separator) {
  const Hierarchy& hierarchy = attribute.hierarchy;
  std::string out;
  const auto write_line = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) out += separator;
      out += quote_field(fields[i], separator);
    }
    out += '\n';
  };
  if (attribute.kind == AttributeKind::kReal) {
    return make_error(ErrorKind::kUsage,
                      "'{}' is a real attribute: ARX lists every value, and there is no such list; "
                      "export it as JSON",
                      attribute.name);
  }
  if (attribute.bins) {
    const double values = attribute.bins->edges.back() - attribute.bins->edges.front();
    if (values > kMaxListedValues) {
      return make_error(ErrorKind::kLimit,
                        "'{}' has {} values: ARX lists every one, and {} is the limit here",
                        attribute.name, values, kMaxListedValues);
    }
  }
  for (std::size_t leaf = 0; leaf < hierarchy.leaf_count(); ++leaf) {
    std::vector<std::string> path = path_to_root(hierarchy, LeafIndex(leaf));
    if (!attribute.bins || leaf >= attribute.bins->count()) {
      if (attribute.bins) path.insert(path.begin(), path.front());
      write_line(path);
      continue;
    }
    path.insert(path.begin(), "");
    const Interval bin = bin_interval(*attribute.bins, leaf, leaf + 1, attribute.kind);
    for (double value = bin.low; value <= bin.high; value += 1) {
      path.front() = format_value(value, attribute.kind);
      write_line(path);
    }
  }
  return out;
}

}  // namespace privpfc
