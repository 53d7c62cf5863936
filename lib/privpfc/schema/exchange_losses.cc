#include <algorithm>
#include <cmath>

#include "privpfc/schema/hierarchy_exchange.h"
#include "privpfc/schema/interval.h"

namespace privpfc {
namespace {

bool reads_as_number(const std::string& label) {
  const auto kinds = {AttributeKind::kReal, AttributeKind::kDate};
  return std::any_of(kinds.begin(), kinds.end(), [&](AttributeKind kind) {
    return parse_value(label, kind) || parse_interval(label, kind);
  });
}

}  // namespace

std::optional<std::string> leaf_that_is_no_number(const Attribute& attribute) {
  const auto leaves = attribute.hierarchy.labels(attribute.hierarchy.finest_level());
  if (attribute.bins || std::none_of(leaves.begin(), leaves.end(), reads_as_number)) {
    return std::nullopt;
  }
  const auto found = std::find_if_not(leaves.begin(), leaves.end(), reads_as_number);
  return found == leaves.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::string> lost_in_json(const Attribute& attribute) {
  if (!attribute.bins) return std::nullopt;
  for (std::size_t bin = 0; bin < attribute.bins->count(); ++bin) {
    if (!parse_interval(attribute.hierarchy.leaf_label(LeafIndex(bin)), attribute.kind)) {
      return "its bins have names, and JSON has no place for their bounds; imported again, they "
             "are "
             "categories";
    }
  }
  const auto& edges = attribute.bins->edges;
  if (attribute.kind == AttributeKind::kReal &&
      std::all_of(edges.begin(), edges.end(),
                  [](double edge) { return edge == std::floor(edge); })) {
    return "its bounds are whole numbers; imported again, it is an integer";
  }
  return std::nullopt;
}

}  // namespace privpfc
