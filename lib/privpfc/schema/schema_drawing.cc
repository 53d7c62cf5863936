#include "privpfc/schema/schema_drawing.h"

#include <fmt/format.h>

#include <algorithm>

#include "privpfc/schema/interval.h"
#include "privpfc/schema/unit.h"

namespace privpfc {
namespace {

void draw_below(const std::vector<TreeNode>& nodes, const std::string& prefix, std::string& out) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool last = i + 1 == nodes.size();
    out += prefix + (last ? "└─ " : "├─ ") + nodes[i].label + "\n";
    draw_below(nodes[i].children, prefix + (last ? "   " : "│  "), out);
  }
}

std::string nodes_per_level(const Hierarchy& hierarchy) {
  std::vector<std::size_t> counts;
  for (std::size_t level = 0; level < hierarchy.level_count(); ++level) {
    counts.push_back(hierarchy.node_count(LevelIndex(level)));
  }
  return fmt::format("{}", fmt::join(counts, " > "));
}

std::string domain_text(const Attribute& attribute) {
  if (attribute.bins) {
    return format_interval(
        bin_interval(*attribute.bins, 0, attribute.bins->count(), attribute.kind), attribute.kind);
  }
  return fmt::format("{} values", attribute.value_leaf_count());
}

}  // namespace

std::string draw_overview(const Schema& schema) {
  std::size_t name_width = 9;
  std::size_t domain_width = 6;
  for (const Attribute& attribute : schema.attributes) {
    name_width = std::max(name_width, attribute.name.size());
    domain_width = std::max(domain_width, domain_text(attribute).size());
  }
  std::string out = fmt::format("{:<{}}  {:<11}  {:<{}}  nodes per level, root first\n",
                                "attribute", name_width, "type", "domain", domain_width);
  for (const Attribute& attribute : schema.attributes) {
    out +=
        fmt::format("{:<{}}  {:<11}  {:<{}}  {}{}\n", attribute.name, name_width,
                    kind_name(attribute.kind), domain_text(attribute), domain_width,
                    nodes_per_level(attribute.hierarchy), attribute.used ? "" : "  (use: false)");
  }
  if (schema.person) out += fmt::format("\nunit: {}\n", unit_in_words(schema));
  return out;
}

std::string draw_hierarchy(const Attribute& attribute) {
  std::string out = fmt::format("{} ({}, {})  {}\n", attribute.name, kind_name(attribute.kind),
                                domain_text(attribute), nodes_per_level(attribute.hierarchy));
  draw_below(attribute.hierarchy.tree(), "", out);
  return out;
}

}  // namespace privpfc
