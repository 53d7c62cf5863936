#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/base/strong_index.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// How learners see one attribute: as a number, or as a category, which is a node of one level of
// its hierarchy. A release shows attributes at coarser levels, and leaves some out.
struct AttributeView {
  AttributeIndex attribute;
  bool as_number = false;  // numeric kinds only; then the level says nothing
  LevelIndex level;
  friend bool operator==(const AttributeView&, const AttributeView&) = default;
};

// One input of a learner, with its public domain.
struct Feature {
  std::string name;
  AttributeView view{};

  // Numbers. Values outside [low, high] are brought to the nearer end.
  double low = 0;
  double high = 0;
  Bins bins{};

  // Categories: codes are positions in `categories`.
  std::vector<std::string> categories{};
  bool ordered = false;
  // By leaf of the schema's hierarchy: the category, or kMissingCode.
  std::vector<std::uint16_t> category_of_leaf{};

  bool is_number() const { return view.as_number; }
};

// Stands where a category is missing. Larger than any code: there are at most 65,000 leaves.
inline constexpr std::uint16_t kMissingCode = 0xFFFF;

// What goes into a learner and what comes out: known from the schema, before any row is seen.
struct FeatureSpace {
  std::vector<Feature> features;
  std::vector<std::string> classes;

  std::size_t class_count() const { return classes.size(); }
};

// Numeric kinds as numbers, all others by their leaves. Attributes that are not used are left out.
std::vector<AttributeView> plain_views(const Schema& schema);

// The leaf that was added for missing values is no category: learners skip what is missing. The one
// added for `other` is. An error (kSchema) if a view does not fit the schema.
Result<FeatureSpace> make_feature_space(const Schema& schema, std::span<const AttributeView> views);

}  // namespace privpfc
