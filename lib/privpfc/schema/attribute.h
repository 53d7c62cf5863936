#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "privpfc/base/strong_index.h"
#include "privpfc/schema/hierarchy.h"

namespace privpfc {

enum class AttributeKind { kInteger, kReal, kDate, kOrdinal, kCategorical, kBoolean };

constexpr const char* kind_name(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kInteger:
      return "integer";
    case AttributeKind::kReal:
      return "real";
    case AttributeKind::kDate:
      return "date";
    case AttributeKind::kOrdinal:
      return "ordinal";
    case AttributeKind::kCategorical:
      return "categorical";
    case AttributeKind::kBoolean:
      return "boolean";
  }
  return "";
}

constexpr bool is_numeric(AttributeKind kind) {
  return kind == AttributeKind::kInteger || kind == AttributeKind::kReal ||
         kind == AttributeKind::kDate;
}

// Where a column is found: by its name in the header, or by its position (0 is the first).
using ColumnRef = std::variant<std::string, std::size_t>;

// The bins of a numeric attribute: leaf i holds the values between edges[i] and edges[i + 1].
// Integers and dates (days since 1970-01-01) are whole numbers: bin i is edges[i] to edges[i+1]-1,
// and the last edge is one past the domain. For reals, `holds_upper_end` says which end belongs to
// a bin; the domain's own two ends always belong to it.
struct Bins {
  std::vector<double> edges;  // strictly increasing; one more than there are bins
  bool holds_upper_end = false;

  std::size_t count() const { return edges.size() - 1; }
  friend bool operator==(const Bins&, const Bins&) = default;
};

// What happens to a number below or above the domain.
enum class Outside { kNearestBin, kOther, kMissing };

// One column of the table, with its public domain. Every value has a leaf: see docs/schema.md.
struct Attribute {
  std::string name;
  ColumnRef column;
  AttributeKind kind = AttributeKind::kCategorical;
  std::string description;
  bool used = true;

  // Leaves: first the bins or categories in order, then leaves added for `missing` and `other`.
  Hierarchy hierarchy;

  // Numeric kinds only. bins->count() leaves of the hierarchy are bins.
  std::optional<Bins> bins;
  Outside outside = Outside::kNearestBin;

  // Categorical, ordinal and boolean kinds: every accepted text and its leaf, sorted by text.
  std::vector<std::pair<std::string, LeafIndex>> spellings;
  std::vector<std::string> missing_spellings;

  // Where values without a leaf of their own go. Always set: `*_declared` says whether the schema
  // names the leaf itself, or it follows from the other one, or is leaf 0 because nothing was
  // declared. `has_*_leaf`: the leaf was added for that purpose and is no bin or category.
  LeafIndex missing_leaf;
  LeafIndex other_leaf;
  bool missing_declared = false;
  bool other_declared = false;
  bool has_missing_leaf = false;
  bool has_other_leaf = false;

  // The number of leaves that are bins or categories.
  std::size_t value_leaf_count() const {
    return hierarchy.leaf_count() - (has_missing_leaf ? 1 : 0) - (has_other_leaf ? 1 : 0);
  }
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

}  // namespace privpfc
