#include "privpfc/pipeline/publish_memory.h"

#include <algorithm>

#include "privpfc/counting/row_counts.h"
#include "privpfc/quality/pool_scores.h"

namespace privpfc {
namespace {

std::vector<AttributeIndex> attributes_of(const GridSpace& space) {
  std::vector<AttributeIndex> attributes;
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    attributes.push_back(space.attribute(axis));
  }
  return attributes;
}

}  // namespace

const Private<Points>& PublishMemory::points(const Private<EncodedTable>& table,
                                             const GridSpace& space, std::size_t classes,
                                             const Grid& levels) {
  std::vector<AttributeIndex> attributes = attributes_of(space);
  if (!grouped_ || grouped_->attributes != attributes || grouped_->levels != levels) {
    grouped_.emplace(Grouped{std::move(attributes), levels,
                             transform(group_rows, table, space, classes, levels)});
  }
  return grouped_->points;
}

Private<std::vector<std::int64_t>> PublishMemory::scores(
    const GridSpace& space, const GridPool& pool, const MisclassificationTable& excess,
    std::uint64_t noise_units, const PoolLimits& limits, unsigned threads) {
  if (ahead_ <= 1 || !pool.is_complete()) {
    return transform(score_pool, space, pool, grouped_->points, excess, threads);
  }
  std::vector<AttributeIndex> attributes = attributes_of(space);
  const bool known = scored_ && scored_->attributes == attributes &&
                     scored_->noise_units == noise_units &&
                     scored_->pool.most_cells() >= pool.most_cells();
  if (!known) {
    const auto further =
        static_cast<std::uint64_t>(static_cast<double>(pool.most_cells()) * ahead_);
    // Levels that only the larger pool can use are not in the points.
    const bool same_points = usable_levels(space, further) == grouped_->levels;
    auto larger = same_points ? GridPool::enumerate(space, further, limits.grids) : std::nullopt;
    GridPool scored_pool = larger ? std::move(*larger) : pool;
    auto scores = transform(score_pool, space, scored_pool, grouped_->points, excess, threads);
    scored_.emplace(
        Scored{std::move(attributes), noise_units, std::move(scored_pool), std::move(scores)});
  }
  return transform(scores_of_smaller_pool, space, scored_->pool, scored_->scores,
                   pool.most_cells());
}

std::vector<std::int64_t> scores_of_smaller_pool(const GridSpace& space, const GridPool& large,
                                                 const std::vector<std::int64_t>& scores,
                                                 std::uint64_t most_cells) {
  if (large.most_cells() == most_cells) return scores;
  std::vector<std::int64_t> found;
  for (const GridPool::Block& block : large.blocks()) {
    std::uint64_t next = block.first_grid;
    for_each_chain(space, block, large.most_cells(),
                   [&](const Grid&, std::uint64_t cells, std::size_t deepest) {
                     for (std::size_t level = 0; level <= deepest; ++level, ++next) {
                       const std::uint64_t size =
                           saturating_product(cells, space.node_count(space.chain(), level));
                       if (size <= most_cells) found.push_back(scores[next]);
                     }
                   });
  }
  return found;
}

}  // namespace privpfc
