#include "privpfc/schema/schema_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "privpfc/base/sha256.h"
#include "privpfc/schema/interval.h"

namespace privpfc {
namespace {

std::string list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(yaml_text(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

// A position is a bare number; a name made of digits is quoted.
std::string column_text(const ColumnRef& column) {
  if (const auto* position = std::get_if<std::size_t>(&column)) {
    return fmt::format("{}", *position + 1);
  }
  return yaml_text(std::get<std::string>(column));
}

using LeafValue = std::string (*)(const Attribute&, const std::string&, std::size_t);

// Writes nested groups; `next_leaf` counts the leaves, so that each bin finds its interval.
void write_tree(const std::vector<TreeNode>& nodes, int indent, const Attribute& attribute,
                LeafValue leaf_value, std::size_t& next_leaf, std::string& out) {
  for (const TreeNode& node : nodes) {
    out += fmt::format("{:{}}{}:", "", indent, yaml_text(node.label));
    if (node.children.empty()) {
      out += leaf_value(attribute, node.label, next_leaf++) + "\n";
      continue;
    }
    const bool only_leaves =
        std::all_of(node.children.begin(), node.children.end(),
                    [](const TreeNode& child) { return child.children.empty(); });
    if (only_leaves && !attribute.bins) {
      std::vector<std::string> labels;
      for (const TreeNode& child : node.children) labels.push_back(child.label);
      next_leaf += labels.size();
      out += " " + list(labels) + "\n";
      continue;
    }
    out += "\n";
    write_tree(node.children, indent + 2, attribute, leaf_value, next_leaf, out);
  }
}

std::string no_value(const Attribute&, const std::string&, std::size_t) {
  return "";
}

std::string bin_value(const Attribute& attribute, const std::string& label, std::size_t leaf) {
  const Interval interval = bin_interval(*attribute.bins, leaf, leaf + 1, attribute.kind);
  if (parse_interval(label, attribute.kind) == interval) return "";
  return fmt::format(" \"{}\"", format_interval(interval, attribute.kind));
}

// The tree without the leaves that `missing` and `other` have added at its end.
std::vector<TreeNode> declared_tree(const Attribute& attribute) {
  std::vector<TreeNode> tree = attribute.hierarchy.tree();
  tree.resize(tree.size() - (attribute.hierarchy.leaf_count() - attribute.value_leaf_count()));
  return tree;
}

// The edges of each level, finest first, if the hierarchy is what `cuts` would give: bins that all
// end at the same depth under their interval's own name.
std::vector<std::vector<std::size_t>> uniform_levels(const Attribute& attribute) {
  const Hierarchy& hierarchy = attribute.hierarchy;
  std::vector<std::vector<std::size_t>> levels;
  for (std::size_t level = hierarchy.level_count(); level-- > 1;) {
    const auto nodes = hierarchy.nodes_of_leaves(LevelIndex(level));
    std::vector<std::size_t> starts;
    for (std::size_t bin = 0; bin < attribute.bins->count(); ++bin) {
      if (bin == 0 || nodes[bin] != nodes[bin - 1]) starts.push_back(bin);
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : attribute.bins->count();
      const std::string expected = format_interval(
          bin_interval(*attribute.bins, starts[i], end, attribute.kind), attribute.kind);
      if (hierarchy.label(LevelIndex(level), NodeIndex(std::uint32_t{nodes[starts[i]]})) !=
          expected) {
        return {};
      }
    }
    levels.push_back(std::move(starts));
  }
  // A level of one bin besides `missing` is the root's, not a cut.
  if (!levels.empty() && levels.back().size() == 1) levels.pop_back();
  return levels;
}

void write_bins(const Attribute& attribute, std::string& out) {
  const Bins& bins = *attribute.bins;
  const Interval domain = bin_interval(bins, 0, bins.count(), attribute.kind);
  out += fmt::format("    domain: [{}, {}]\n", format_value(domain.low, attribute.kind),
                     format_value(domain.high, attribute.kind));
  const auto levels = uniform_levels(attribute);
  bool ends_are_free = true;  // a cut at the domain's own end would be read as the end
  for (std::size_t i = 1; i < bins.count(); ++i) {
    ends_are_free = ends_are_free && bins.edges[i] != domain.high;
  }
  if (levels.empty() || !ends_are_free) {
    out += "    intervals:\n";
    std::size_t next_leaf = 0;
    write_tree(declared_tree(attribute), 6, attribute, bin_value, next_leaf, out);
  } else {
    std::vector<std::string> lists;
    for (const auto& starts : levels) {
      std::vector<std::string> cuts;
      for (const std::size_t start : starts) {
        if (start > 0) cuts.push_back(format_value(bins.edges[start], attribute.kind));
      }
      lists.push_back(fmt::format("[{}]", fmt::join(cuts, ", ")));
    }
    out += fmt::format("    cuts: [{}]\n", fmt::join(lists, ", "));
    if (bins.holds_upper_end) out += "    closed: right\n";
  }
}

// A leaf that was added for the purpose is written as such.
std::string bucket_leaf(const Attribute& attribute, LeafIndex leaf, bool added) {
  const std::string label = yaml_text(attribute.hierarchy.leaf_label(leaf));
  return added ? fmt::format("{{new: {}}}", label) : label;
}

void write_buckets(const Attribute& attribute, std::string& out) {
  if (attribute.missing_declared) {
    out += fmt::format("    missing: {{values: {}, leaf: {}}}\n", list(attribute.missing_spellings),
                       bucket_leaf(attribute, attribute.missing_leaf, attribute.has_missing_leaf));
  }
  if (attribute.other_declared) {
    out += fmt::format("    other: {}\n",
                       bucket_leaf(attribute, attribute.other_leaf, attribute.has_other_leaf));
  }
  if (attribute.outside == Outside::kOther) out += "    outside: other\n";
  if (attribute.outside == Outside::kMissing) out += "    outside: missing\n";
}

// The spellings beyond the names themselves, as `aliases`.
template <typename Index, typename NameOf>
std::string alias_text(const std::vector<std::pair<std::string, Index>>& spellings,
                       NameOf name_of) {
  std::map<Index, std::vector<std::string>> aliases;
  for (const auto& [spelling, index] : spellings) {
    if (spelling != name_of(index)) aliases[index].push_back(spelling);
  }
  std::vector<std::string> entries;
  for (const auto& [index, texts] : aliases) {
    entries.push_back(fmt::format("{}: {}", yaml_text(name_of(index)), list(texts)));
  }
  return entries.empty() ? "" : fmt::format("{{{}}}", fmt::join(entries, ", "));
}

}  // namespace

std::string yaml_text(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+/()<>=";
  constexpr std::string_view kStart = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_(<";
  const bool plain = !text.empty() && kStart.find(text.front()) != std::string_view::npos &&
                     text.find_first_not_of(kPlain) == std::string::npos;
  constexpr std::array<std::string_view, 12> kWords{
      "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", "yes", "no", "on"};
  if (plain && std::find(kWords.begin(), kWords.end(), text) == kWords.end()) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string write_attribute(const Attribute& attribute) {
  std::string out =
      fmt::format("  {}:\n    type: {}\n", yaml_text(attribute.name), kind_name(attribute.kind));
  if (attribute.column != ColumnRef(attribute.name)) {
    out += fmt::format("    column: {}\n", column_text(attribute.column));
  }
  if (!attribute.description.empty()) {
    out += fmt::format("    description: {}\n", yaml_text(attribute.description));
  }
  if (!attribute.used) out += "    use: false\n";
  if (attribute.bins) {
    write_bins(attribute, out);
  } else if (attribute.kind != AttributeKind::kBoolean) {
    const auto tree = declared_tree(attribute);
    const bool flat = std::all_of(tree.begin(), tree.end(),
                                  [](const TreeNode& node) { return node.children.empty(); });
    if (flat) {
      std::vector<std::string> labels;
      for (const TreeNode& node : tree) labels.push_back(node.label);
      out += fmt::format("    values: {}\n", list(labels));
    } else {
      out += "    tree:\n";
      std::size_t next_leaf = 0;
      write_tree(tree, 6, attribute, no_value, next_leaf, out);
    }
  }
  const std::string aliases = alias_text(
      attribute.spellings, [&](LeafIndex leaf) { return attribute.hierarchy.leaf_label(leaf); });
  if (!aliases.empty()) out += fmt::format("    aliases: {}\n", aliases);
  write_buckets(attribute, out);
  return out;
}

std::string write_csv_format(const CsvFormat& csv) {
  if (csv == CsvFormat{}) return "";
  const std::string separator =
      std::string(1, csv.separator) + (csv.space_after_separator ? " " : "");
  return fmt::format("csv: {{header: {}, separator: {}, quote: {}, skip: {}}}\n", csv.header,
                     yaml_text(separator),
                     csv.quote ? yaml_text(std::string(1, *csv.quote)) : "none", csv.skip_lines);
}

std::string write_schema(const Schema& schema) {
  std::string out = fmt::format("name: {}\n", yaml_text(schema.name));
  if (!schema.description.empty()) {
    out += fmt::format("description: {}\n", yaml_text(schema.description));
  }
  if (!schema.source.empty()) out += fmt::format("source: {}\n", yaml_text(schema.source));
  out += write_csv_format(schema.csv);
  out += fmt::format("label:\n  column: {}\n  classes: {}\n", column_text(schema.label.column),
                     list(schema.label.classes));
  const std::string aliases = alias_text(schema.label.spellings, [&](ClassIndex index) {
    return schema.label.classes[index.value()];
  });
  if (!aliases.empty()) out += fmt::format("  aliases: {}\n", aliases);
  if (schema.label.other_declared) {
    out += fmt::format("  other: {}\n",
                       yaml_text(schema.label.classes[schema.label.other_class.value()]));
  }
  if (schema.person) {
    out += fmt::format("person: {{column: {}, most_rows: {}}}\n",
                       column_text(schema.person->column), schema.person->most_rows);
  }
  if (!schema.ignored_columns.empty()) {
    out += fmt::format("ignore: {}\n", list(schema.ignored_columns));
  }
  out += "attributes:\n";
  for (const Attribute& attribute : schema.attributes) out += write_attribute(attribute);
  return out;
}

std::string schema_hash(const Schema& schema) {
  return sha256_hex(write_schema(schema));
}

}  // namespace privpfc
