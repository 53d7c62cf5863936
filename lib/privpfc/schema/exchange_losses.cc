#include <algorithm>

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

bool has_named_bins(const Attribute& attribute) {
  for (std::size_t bin = 0; attribute.bins && bin < attribute.bins->count(); ++bin) {
    if (!parse_interval(attribute.hierarchy.leaf_label(LeafIndex(bin)), attribute.kind))
      return true;
  }
  return false;
}

}  // namespace privpfc
