#include "privpfc/pipeline/pool_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "privpfc/base/contract.h"

namespace privpfc {

Status check_limits(const PoolLimits& limits) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (limits.cells < 2 || limits.cells > kMost || limits.grids < 1 || limits.grids > kMost) {
    return make_error(ErrorKind::kUsage,
                      "a grid may have 2 to {} cells at most, and a pool 1 to {} grids", kMost,
                      kMost);
  }
  return {};
}

std::uint64_t cell_threshold(std::int64_t noisy_rows, Epsilon histogram, const PoolLimits& limits) {
  require(noisy_rows >= 1, "the noisy number of rows is at least 1");
  const auto product = static_cast<unsigned __int128>(noisy_rows) * histogram.units();
  const auto fifth = product / (5 * static_cast<unsigned __int128>(Epsilon::kUnitsPerOne));
  const auto most = std::min<unsigned __int128>(fifth, limits.cells);
  return std::max<std::uint64_t>(2, static_cast<std::uint64_t>(most));
}

Grid usable_levels(const GridSpace& space, std::uint64_t most_cells) {
  Grid levels(space.axis_count(), 0);
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    while (levels[axis] < space.finest_level(axis) &&
           space.node_count(axis, levels[axis] + 1u) <= most_cells) {
      ++levels[axis];
    }
  }
  return levels;
}

std::optional<GridPool> fitting_pool(const GridSpace& space, std::uint64_t most_cells,
                                     std::int64_t noisy_rows, const PoolLimits& limits) {
  const std::uint64_t joint = space.cell_count(usable_levels(space, most_cells));
  if (joint > limits.points && static_cast<std::uint64_t>(noisy_rows) > limits.points) {
    return std::nullopt;
  }
  auto pool = GridPool::enumerate(space, most_cells, limits.grids);
  if (pool && pool->total_cells() > limits.total_cells) return std::nullopt;
  return pool;
}

std::size_t feature_picks(const GridSpace& space, std::uint64_t most_cells) {
  std::vector<std::uint32_t> branching;
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    if (space.level_count(axis) > 1) branching.push_back(space.node_count(axis, 1));
  }
  if (branching.empty()) return 1;
  const auto middle = branching.begin() + static_cast<std::ptrdiff_t>(branching.size() / 2);
  std::nth_element(branching.begin(), middle, branching.end());
  const double wanted =
      std::ceil(2 * std::log(static_cast<double>(most_cells)) / std::log(*middle));
  return std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, space.axis_count());
}

ChosenPool pool_over_picks(const Schema& schema, const std::vector<AttributeIndex>& picks,
                           std::uint64_t most_cells, std::int64_t noisy_rows,
                           const PoolLimits& limits) {
  const std::size_t fewest = std::min(kFewestPicks, picks.size());
  const auto first = [&](std::size_t count) {
    return GridSpace(schema, {picks.begin(), picks.begin() + static_cast<std::ptrdiff_t>(count)});
  };
  for (std::size_t count = picks.size(); count >= fewest; --count) {
    GridSpace space = first(count);
    if (auto pool = fitting_pool(space, most_cells, noisy_rows, limits)) {
      return {std::move(space), std::move(*pool)};
    }
  }
  GridSpace space = first(fewest);
  for (std::uint64_t threshold = most_cells / 2; threshold >= 2; threshold /= 2) {
    if (auto pool = fitting_pool(space, threshold, noisy_rows, limits)) {
      return {std::move(space), std::move(*pool)};
    }
  }
  auto pool = GridPool::enumerate(space, 1, limits.grids);
  require(pool.has_value(), "the one-cell grid keeps to every limit");
  return {std::move(space), std::move(*pool)};
}

}  // namespace privpfc
