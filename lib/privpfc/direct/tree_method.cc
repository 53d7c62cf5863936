#include "privpfc/direct/tree_method.h"

#include <algorithm>
#include <bit>

#include "privpfc/classifiers/model_file.h"
#include "privpfc/classifiers/tree.h"

namespace privpfc {

std::vector<AttributeView> TreeMethod::views(const Schema& schema, Epsilon) const {
  return plain_views(schema);
}

Status TreeMethod::check(const DirectSetting& setting, Epsilon epsilon) const {
  if (options_.depth && (*options_.depth < 1 || *options_.depth > TreeDirectOptions::kMostDepth)) {
    return make_error(ErrorKind::kUsage, "the depth of a private tree lies between 1 and {}",
                      TreeDirectOptions::kMostDepth);
  }
  if (options_.trees && (*options_.trees < 1 || *options_.trees > TreeDirectOptions::kMostTrees)) {
    return make_error(ErrorKind::kUsage, "a private forest has 1 to {} trees",
                      TreeDirectOptions::kMostTrees);
  }
  const std::size_t trees = most_trees(setting);
  const std::size_t most_depth = deepest(setting, trees);
  if (options_.depth.value_or(1) > most_depth) {
    return make_error(
        ErrorKind::kLimit, "{} tree{} of depth {} can become a model of more than {} MiB, {}",
        trees, trees == 1 ? "" : "s", options_.depth.value_or(1), kMostModelBytes >> 20,
        most_depth == 0
            ? "as can any of these categories and classes; ask for fewer trees"
            : fmt::format("which nobody could read; at most {} deep is possible", most_depth));
  }
  // So that the estimate of the rows gets a part of it.
  constexpr std::uint64_t kLeastUnits = 100'000;
  if (epsilon.units() < kLeastUnits) {
    return make_error(ErrorKind::kUsage, "{} needs an epsilon of at least {}", text_.name,
                      Epsilon::from_units(kLeastUnits).to_string());
  }
  return {};
}

std::size_t TreeMethod::most_trees(const DirectSetting& setting) const {
  if (model_ != ModelKind::kForest) return 1;
  return options_.trees.value_or(most_trees_by_rule(setting));
}

std::vector<AttributeView> RandomTreeMethod::views(const Schema& schema, Epsilon) const {
  constexpr std::size_t kMostGroups = 64;
  return category_views(schema, kMostGroups);
}

QuestionSpace RandomTreeMethod::questions_of(const DirectSetting& setting) {
  return {setting.schema, setting.space, QuestionWeights::kByFeature, OrderedQuestions::kNodes};
}

std::vector<AttributeView> category_views(const Schema& schema, std::size_t most_nodes) {
  std::vector<AttributeView> views = plain_views(schema);
  for (AttributeView& view : views) {
    const Hierarchy& hierarchy = schema[view.attribute].hierarchy;
    view.as_number = false;
    std::size_t level = hierarchy.finest_level().value();
    while (level > 1 && hierarchy.node_count(LevelIndex(level)) > most_nodes) --level;
    view.level = LevelIndex(level);
  }
  return views;
}

std::size_t deepest(const DirectSetting& setting, std::size_t trees) {
  const std::uint64_t room = room_for_parameters(setting.schema, setting.space);
  std::size_t depth = TreeDirectOptions::kMostDepth;
  while (depth > 0 && most_tree_bytes(setting.space, trees, trees << depth) > room) --depth;
  return depth;
}

std::size_t depth_for(double epsilon_rows, double rows_per_leaf, std::size_t least,
                      std::size_t most) {
  std::size_t depth = least;
  double leaf = epsilon_rows / static_cast<double>(std::uint64_t{1} << (least + 1));
  while (depth < most && leaf >= rows_per_leaf) {
    ++depth;
    leaf /= 2;
  }
  return depth;
}

std::size_t random_depth(std::int64_t row_estimate, std::size_t features) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(1, row_estimate));
  const auto doublings = static_cast<std::size_t>(std::bit_width(rows) - 1);
  const std::size_t room = doublings > 3 ? doublings - 3 : 0;
  return std::clamp<std::size_t>(std::min(features, room), 2, TreeDirectOptions::kMostDepth - 2);
}

double as_real(Epsilon epsilon) {
  return static_cast<double>(epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
}

}  // namespace privpfc
