#include "privpfc/as_published/privpfc.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "privpfc/as_published/plain_noise.h"
#include "privpfc/base/contract.h"
#include "privpfc/counting/grid_counts.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/pipeline/pool_plan.h"
#include "privpfc/quality/misclassification.h"
#include "privpfc/quality/pool_scores.h"

namespace privpfc {
namespace {

using Counts = std::vector<std::int64_t>;
using NoiseFree = PublishedPrivPfc::NoiseFree;

struct Parts {
  double features = 0;
  double selection = 0;
  double histogram = 0;
};

// 30 : 30 : 40, or 3 : 4 without feature selection; a step without noise costs nothing.
Parts share_out(double epsilon, bool with_features, NoiseFree noise_free) {
  const bool free_selection = noise_free == NoiseFree::kFeaturesAndSelection;
  Parts parts;
  parts.features = with_features && noise_free == NoiseFree::kNothing ? 3 : 0;
  parts.selection = free_selection ? 0 : 3;
  parts.histogram = 4;
  const double unit = epsilon / (parts.features + parts.selection + parts.histogram);
  return {parts.features * unit, parts.selection * unit, parts.histogram * unit};
}

// The sum over leaves and classes of |observed - expected|, which the paper calls Cor.
double correlation(const Counts& counts, std::size_t classes) {
  Counts by_class(classes, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) by_class[i % classes] += counts[i];
  const auto rows =
      static_cast<double>(std::accumulate(by_class.begin(), by_class.end(), std::int64_t{0}));
  double sum = 0;
  for (std::size_t leaf = 0; leaf < counts.size() / classes; ++leaf) {
    std::int64_t in_leaf = 0;
    for (std::size_t c = 0; c < classes; ++c) in_leaf += counts[leaf * classes + c];
    for (std::size_t c = 0; c < classes; ++c) {
      const double expected =
          static_cast<double>(in_leaf) * static_cast<double>(by_class[c]) / rows;
      sum += std::abs(static_cast<double>(counts[leaf * classes + c]) - expected);
    }
  }
  return sum;
}

std::vector<AttributeIndex> select_features(const EncodedTable& table, const Schema& schema,
                                            std::size_t picks, double epsilon, PlainNoise& noise) {
  std::vector<AttributeIndex> left = used_attributes(schema);
  std::vector<double> scores;
  for (const AttributeIndex attribute : left) {
    scores.push_back(
        correlation(count_leaves(table, attribute, schema[attribute].hierarchy.leaf_count(),
                                 schema.class_count()),
                    schema.class_count()));
  }
  const double weight = epsilon == 0 ? HUGE_VAL : epsilon / (4 * static_cast<double>(picks));
  std::vector<AttributeIndex> chosen;
  for (std::size_t pick = 0; pick < picks; ++pick) {
    const auto at = static_cast<std::ptrdiff_t>(draw_exponential(scores, weight, noise));
    chosen.push_back(left[static_cast<std::size_t>(at)]);
    left.erase(left.begin() + at);
    scores.erase(scores.begin() + at);
  }
  return chosen;
}

std::uint64_t published_threshold(std::int64_t rows, double epsilon) {
  constexpr double kFifth = 0.2;
  return std::max<std::uint64_t>(
      2, static_cast<std::uint64_t>(kFifth * static_cast<double>(rows) * epsilon / 2));
}

// The authors' order of grids, by the number of attributes, cut off at the most grids: what is left
// of a pool that is still too large after feature selection.
std::vector<std::uint64_t> first_grids(const GridPool& pool, const GridSpace& space,
                                       std::uint64_t most_grids) {
  std::vector<std::uint64_t> order(pool.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  if (pool.size() <= most_grids) return order;
  std::vector<std::uint8_t> attributes(pool.size());
  for (std::uint64_t i = 0; i < pool.size(); ++i) {
    const Grid grid = pool.grid(space, i);
    attributes[i] = static_cast<std::uint8_t>(
        std::count_if(grid.begin(), grid.end(), [](std::uint8_t level) { return level != 0; }));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return attributes[a] < attributes[b]; });
  order.resize(most_grids);
  return order;
}

}  // namespace

Synopsis publish_as_published(const EncodedTable& table, const Schema& schema, double epsilon,
                              const PublishedPrivPfc& options, std::uint64_t seed) {
  PlainNoise noise(seed);
  const std::size_t classes = schema.class_count();
  Synopsis synopsis;
  synopsis.class_counts = count_classes(table, classes);
  synopsis.noisy_rows =
      std::accumulate(synopsis.class_counts.begin(), synopsis.class_counts.end(), std::int64_t{0});
  require(synopsis.noisy_rows > 0 && epsilon > 0, "rows, and a positive epsilon");
  const std::uint64_t most_cells = published_threshold(synopsis.noisy_rows, epsilon);

  GridSpace space(schema);
  auto pool = GridPool::enumerate(space, most_cells, options.most_grids);
  const bool with_features = !pool.has_value();
  const Parts parts = share_out(epsilon, with_features, options.noise_free);
  if (with_features) {
    synopsis.selected_features =
        select_features(table, schema, feature_picks(space, most_cells), parts.features, noise);
    PoolLimits wide;
    wide.grids = 20 * options.most_grids;
    ChosenPool chosen =
        pool_over_picks(schema, synopsis.selected_features, most_cells, synopsis.noisy_rows, wide);
    space = std::move(chosen.space);
    pool = std::move(chosen.pool);
  }
  const std::vector<std::uint64_t> order = first_grids(*pool, space, options.most_grids);

  constexpr double kUnits = 1e9;
  const MisclassificationTable excess(
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(parts.histogram * kUnits)),
      static_cast<std::uint64_t>(kUnits), MisclassificationTable::Noise::kLaplace);
  const Points points = group_rows(table, space, classes, usable_levels(space, most_cells));
  const Counts scores = score_pool(space, *pool, points, excess, options.threads);
  std::vector<double> quality;  // higher is better
  for (const std::uint64_t grid : order) {
    quality.push_back(-static_cast<double>(scores[grid]) /
                      static_cast<double>(MisclassificationTable::kOneRow));
  }
  const double weight = parts.selection == 0 ? HUGE_VAL : parts.selection / 2;
  const Grid grid = pool->grid(space, order[draw_exponential(quality, weight, noise)]);

  std::vector<HistogramAxis> axes;
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    if (grid[axis] != 0) axes.push_back({axis, grid[axis]});
  }
  std::sort(axes.begin(), axes.end(), [&](const HistogramAxis& a, const HistogramAxis& b) {
    return space.attribute(a.axis) < space.attribute(b.axis);
  });
  synopsis.cell_counts = count_cells(space, points, axes);
  for (std::int64_t& count : synopsis.cell_counts) {
    const double noisy = static_cast<double>(count) + noise.laplace(1 / parts.histogram);
    count = std::max<std::int64_t>(0, std::llround(noisy));
  }
  for (const HistogramAxis& axis : axes) {
    synopsis.axes.push_back({space.attribute(axis.axis), LevelIndex(axis.level)});
  }
  synopsis.cell_threshold = most_cells;
  synopsis.pool_size = order.size();
  synopsis.features_in_pool = space.axis_count();
  return synopsis;
}

}  // namespace privpfc
