#include "privpfc/experiments/cell_learning.h"

#include <algorithm>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

// By node of the axis' level, the category that a learner sees; and the other way round.
struct AxisCodes {
  std::vector<std::uint16_t> category_of_node;
  std::vector<std::size_t> node_of_category;
  std::size_t node_of_missing = 0;
};

std::vector<AxisCodes> axis_codes(const Synopsis& synopsis, const Schema& schema,
                                  const FeatureSpace& space) {
  std::vector<AxisCodes> codes;
  for (std::size_t i = 0; i < synopsis.axes.size(); ++i) {
    const Synopsis::Axis& axis = synopsis.axes[i];
    const Hierarchy& hierarchy = schema[axis.attribute].hierarchy;
    const Feature& feature = space.features[i];
    AxisCodes made;
    made.category_of_node.assign(hierarchy.node_count(axis.level), kMissingCode);
    made.node_of_category.assign(feature.categories.size(), 0);
    const auto nodes = hierarchy.nodes_of_leaves(axis.level);
    for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf) {
      const std::uint16_t category = feature.category_of_leaf[leaf];
      if (category == kMissingCode) {
        made.node_of_missing = nodes[leaf];
      } else {
        made.category_of_node[nodes[leaf]] = category;
        made.node_of_category[category] = nodes[leaf];
      }
    }
    codes.push_back(std::move(made));
  }
  return codes;
}

}  // namespace

std::vector<AttributeView> grid_views(const Synopsis& synopsis) {
  std::vector<AttributeView> views;
  for (const Synopsis::Axis& axis : synopsis.axes) {
    views.push_back({axis.attribute, false, axis.level});
  }
  return views;
}

Dataset weighted_cells(const Synopsis& synopsis, std::span<const std::uint64_t> counts,
                       const Schema& schema, const FeatureSpace& space) {
  const std::vector<AxisCodes> codes = axis_codes(synopsis, schema, space);
  const std::size_t classes = schema.class_count();
  Dataset data;
  data.rows = empty_rows(space);
  std::vector<std::size_t> nodes(codes.size(), 0);
  for (std::size_t cell = 0; cell < counts.size() / classes; ++cell) {
    for (std::size_t c = 0; c < classes; ++c) {
      if (counts[cell * classes + c] == 0) continue;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        data.rows.columns[i].codes.push_back(codes[i].category_of_node[nodes[i]]);
      }
      data.labels.push_back(static_cast<std::uint8_t>(c));
      data.weights.push_back(static_cast<double>(counts[cell * classes + c]));
    }
    // The first axis varies slowest.
    for (std::size_t i = codes.size(); i-- > 0;) {
      if (++nodes[i] < codes[i].category_of_node.size()) break;
      nodes[i] = 0;
    }
  }
  data.rows.count = data.labels.size();
  return data;
}

std::vector<std::uint8_t> histogram_labels(const Synopsis& synopsis, const Schema& schema,
                                           const FeatureSpace& space, const Rows& rows) {
  const std::vector<AxisCodes> codes = axis_codes(synopsis, schema, space);
  const std::size_t classes = schema.class_count();
  const auto& totals = synopsis.class_counts;
  const auto overall =
      static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
  std::vector<std::uint8_t> labels;
  for (std::size_t row = 0; row < rows.count; ++row) {
    std::size_t cell = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::uint16_t category = rows.columns[i].codes[row];
      cell = cell * codes[i].category_of_node.size() + (category == kMissingCode
                                                            ? codes[i].node_of_missing
                                                            : codes[i].node_of_category[category]);
    }
    const std::int64_t* counts = synopsis.cell_counts.data() + cell * classes;
    std::size_t best = overall;
    for (std::size_t c = 0; c < classes; ++c) {
      if (counts[c] > counts[best]) best = c;
    }
    labels.push_back(static_cast<std::uint8_t>(best));
  }
  return labels;
}

double error_share(const std::vector<std::uint8_t>& predicted,
                   const std::vector<std::uint8_t>& truth) {
  require(predicted.size() == truth.size() && !truth.empty(), "a label for every row");
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) wrong += predicted[i] != truth[i] ? 1 : 0;
  return static_cast<double>(wrong) / static_cast<double>(truth.size());
}

}  // namespace privpfc
