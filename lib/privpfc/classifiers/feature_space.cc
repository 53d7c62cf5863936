#include "privpfc/classifiers/feature_space.h"

#include <set>

#include "privpfc/schema/interval.h"

namespace privpfc {

namespace {

void add_categories(const Attribute& attribute, Feature& feature) {
  const Hierarchy& hierarchy = attribute.hierarchy;
  const LevelIndex level = feature.view.level;
  // An added leaf stands for itself at every level but the root.
  std::uint16_t missing_node = kMissingCode;
  if (attribute.has_missing_leaf && level.value() > 0) {
    missing_node = hierarchy.nodes_of_leaves(level)[attribute.missing_leaf.value()];
  }
  std::vector<std::uint16_t> category_of_node(hierarchy.node_count(level), kMissingCode);
  for (std::size_t node = 0; node < category_of_node.size(); ++node) {
    if (node == missing_node) continue;
    category_of_node[node] = static_cast<std::uint16_t>(feature.categories.size());
    feature.categories.push_back(hierarchy.label(level, NodeIndex(node)));
  }
  for (const std::uint16_t node : hierarchy.nodes_of_leaves(level)) {
    feature.category_of_leaf.push_back(category_of_node[node]);
  }
  feature.ordered = attribute.kind == AttributeKind::kOrdinal || is_numeric(attribute.kind);
}

}  // namespace

std::vector<AttributeView> plain_views(const Schema& schema) {
  std::vector<AttributeView> views;
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    const Attribute& attribute = schema.attributes[i];
    if (!attribute.used) continue;
    views.push_back(
        {AttributeIndex(i), is_numeric(attribute.kind), attribute.hierarchy.finest_level()});
  }
  return views;
}

Result<FeatureSpace> make_feature_space(const Schema& schema,
                                        std::span<const AttributeView> views) {
  FeatureSpace space;
  space.classes = schema.label.classes;
  std::set<AttributeIndex> seen;
  for (const AttributeView& view : views) {
    if (view.attribute.value() >= schema.attributes.size()) {
      return make_error(ErrorKind::kSchema, "the schema has no attribute number {}",
                        view.attribute.value() + 1);
    }
    const Attribute& attribute = schema[view.attribute];
    if (!attribute.used) {
      return make_error(ErrorKind::kSchema, "the schema says that '{}' is not used",
                        attribute.name);
    }
    if (!seen.insert(view.attribute).second) {
      return make_error(ErrorKind::kSchema, "attribute '{}' is named twice", attribute.name);
    }
    Feature feature{.name = attribute.name, .view = view};
    if (view.as_number) {
      if (!is_numeric(attribute.kind)) {
        return make_error(ErrorKind::kSchema, "attribute '{}' is {}, not a number", attribute.name,
                          kind_name(attribute.kind));
      }
      feature.bins = *attribute.bins;
      feature.low = feature.bins.edges.front();
      // The last edge of whole numbers is one past the domain.
      feature.high = feature.bins.edges.back() - (is_whole(attribute.kind) ? 1 : 0);
    } else {
      if (view.level.value() >= attribute.hierarchy.level_count()) {
        return make_error(ErrorKind::kSchema, "attribute '{}' has no level {}", attribute.name,
                          view.level.value());
      }
      add_categories(attribute, feature);
    }
    space.features.push_back(std::move(feature));
  }
  return space;
}

}  // namespace privpfc
