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

namespace {

// Whether the different rows, as far as grids can tell them apart, can be kept at once: there are
// no more of them than joint cells, and about as many as rows at most.
bool can_be_held(const GridSpace& space, std::uint64_t most_cells, std::int64_t noisy_rows,
                 const PoolLimits& limits) {
  return static_cast<std::uint64_t>(noisy_rows) <= limits.kept_rows ||
         space.cell_count(usable_levels(space, most_cells)) <= limits.points;
}

}  // namespace

std::optional<GridPool> fitting_pool(const GridSpace& space, std::uint64_t most_cells,
                                     std::int64_t noisy_rows, const PoolLimits& limits) {
  if (!can_be_held(space, most_cells, noisy_rows, limits)) return std::nullopt;
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
  const auto first = [&](std::size_t count) {
    return GridSpace(schema, {picks.begin(), picks.begin() + static_cast<std::ptrdiff_t>(count)});
  };
  std::size_t held = picks.size();
  while (held > 1 && !can_be_held(first(held), most_cells, noisy_rows, limits)) --held;
  GridSpace space = first(held);
  if (auto pool = fitting_pool(space, most_cells, noisy_rows, limits)) {
    return {std::move(space), std::move(*pool)};
  }
  std::vector<std::size_t> ranked;  // the axes, in the order of the picks
  for (std::size_t pick = 0; pick < held; ++pick) {
    for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
      if (space.attribute(axis) == picks[pick]) ranked.push_back(axis);
    }
  }
  GridPool pool = GridPool::sample(space, most_cells, {limits.grids, limits.total_cells}, ranked);
  return {std::move(space), std::move(pool)};
}

}  // namespace privpfc
