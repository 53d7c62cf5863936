#include "privpfc/schema/import_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "privpfc/schema/interval.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"

namespace privpfc::internal {
namespace {

// The leaves as intervals of `kind`, or nothing if one of them is none. With `single_values`, a
// leaf that is one whole number or day is an interval too.
std::optional<std::vector<Interval>> leaf_intervals(const std::vector<TreeNode>& tree,
                                                    AttributeKind kind, bool single_values) {
  std::vector<Interval> intervals;
  for (const TreeNode& node : tree) {
    if (!node.children.empty()) {
      const auto below = leaf_intervals(node.children, kind, single_values);
      if (!below) return std::nullopt;
      intervals.insert(intervals.end(), below->begin(), below->end());
    } else if (const auto interval = parse_interval(node.label, kind)) {
      intervals.push_back(*interval);
    } else if (const auto value = parse_value(node.label, kind); value && single_values) {
      intervals.push_back({*value, *value});
    } else {
      return std::nullopt;
    }
  }
  return intervals;
}

std::string tree_yaml(const std::vector<TreeNode>& tree, bool single_values, int indent) {
  std::string out;
  for (const TreeNode& node : tree) {
    out += fmt::format("{:{}}{}:", "", indent, yaml_text(node.label));
    if (node.children.empty() && single_values) out += fmt::format(" [{0}, {0}]", node.label);
    out += "\n" + tree_yaml(node.children, single_values, indent + 2);
  }
  return out;
}

// The label that stands twice, if one does. The schema's reader would find it too, and tell of
// lines that nobody wrote. A group whose only member has the group's own name is that member.
std::optional<std::string> repeated_label(const std::vector<TreeNode>& nodes,
                                          const std::string* parent, std::set<std::string>& seen) {
  for (const TreeNode& node : nodes) {
    const bool repeats_parent = parent != nullptr && nodes.size() == 1 && node.label == *parent;
    if (!repeats_parent && !seen.insert(node.label).second) return node.label;
    if (auto below = repeated_label(node.children, &node.label, seen)) return below;
  }
  return std::nullopt;
}

// The tree is written as a schema and read back, so that an imported hierarchy passes the very
// checks that a hand-written one does.
Result<Attribute> read_back(const std::string& name, AttributeKind kind, const std::string& body) {
  SchemaReading reading = read_schema_text(
      fmt::format("name: imported\nlabel: {{column: {}, classes: [a, b]}}\nattributes:\n  {}:\n    "
                  "type: {}\n{}",
                  yaml_text("label of " + name), yaml_text(name), kind_name(kind), body));
  if (reading.schema) return std::move(reading.schema->attributes.front());
  Error error{ErrorKind::kSchema, fmt::format("'{}' cannot be imported:", name)};
  for (const Finding& finding : reading.findings) {
    if (finding.severity == Severity::kError) error.message += "\n  " + finding.message;
  }
  return error;
}

Result<Attribute> read_numeric(const std::string& name, const std::vector<TreeNode>& tree,
                               AttributeKind kind, const std::vector<Interval>& intervals,
                               bool single_values, const std::string& buckets) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Interval& interval : intervals) {
    low = std::min(low, interval.low);
    high = std::max(high, interval.high);
  }
  return read_back(
      name, kind,
      fmt::format("{}    domain: [{}, {}]\n    intervals:\n{}", buckets, format_value(low, kind),
                  format_value(high, kind), tree_yaml(tree, single_values, 6)));
}

// Takes the leaves that `missing` and `other` add beside the bins out of the tree, and returns the
// lines of a schema that add them again.
std::string take_buckets(std::vector<TreeNode>& tree) {
  const bool has_root = tree.size() == 1 && !tree.front().children.empty();
  std::string lines;
  std::vector<TreeNode> bins;
  for (const TreeNode& node : has_root ? tree.front().children : tree) {
    if (node.children.empty() && node.label == "missing") {
      lines += "    missing: []\n";
    } else if (node.children.empty() && node.label == "other") {
      lines += "    other: true\n";
    } else {
      bins.push_back(node);
    }
  }
  if (lines.empty() || bins.empty()) return "";
  tree = std::move(bins);
  return lines;
}

// A numeric attribute, if the leaves are bins or, besides `missing` and `other`, all are.
std::optional<Result<Attribute>> numeric_attribute_of(const std::string& name,
                                                      std::vector<TreeNode> tree) {
  const std::string buckets = take_buckets(tree);
  for (const AttributeKind kind :
       {AttributeKind::kInteger, AttributeKind::kReal, AttributeKind::kDate}) {
    if (const auto intervals = leaf_intervals(tree, kind, false)) {
      return read_numeric(name, tree, kind, *intervals, false, buckets);
    }
  }
  for (const AttributeKind kind : {AttributeKind::kInteger, AttributeKind::kDate}) {
    if (const auto values = leaf_intervals(tree, kind, true)) {
      auto numeric = read_numeric(name, tree, kind, *values, true, buckets);
      if (numeric.ok()) return numeric;  // otherwise they are codes, not a stretch of numbers
    }
  }
  return std::nullopt;
}

}  // namespace

Result<Attribute> attribute_of_tree(const std::string& name, const std::vector<TreeNode>& tree) {
  if (tree.empty()) {
    return make_error(ErrorKind::kSchema, "'{}' cannot be imported: it has no value", name);
  }
  std::set<std::string> seen;
  if (const auto label = repeated_label(tree, nullptr, seen)) {
    return make_error(ErrorKind::kSchema,
                      "'{}' cannot be imported: '{}' stands twice in the hierarchy", name, *label);
  }
  if (auto numeric = numeric_attribute_of(name, tree)) return std::move(*numeric);
  return read_back(name, AttributeKind::kCategorical, "    tree:\n" + tree_yaml(tree, false, 6));
}

}  // namespace privpfc::internal
