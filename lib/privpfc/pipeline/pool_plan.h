#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/counting/grid_pool.h"
#include "privpfc/privacy/epsilon.h"

namespace privpfc {

// Public limits on the work of one release. They depend on nothing but what the user set.
struct PoolLimits {
  std::uint64_t cells = 100'000;                  // of one grid
  std::uint64_t grids = 2'000'000;                // in the pool
  std::uint64_t total_cells = 2'000'000'000;      // of all grids of the pool together
  std::uint64_t points = std::uint64_t{1} << 24;  // joint cells that are counted at once
  // With at most so many rows their joint cells may be more: only those that occur are kept.
  std::uint64_t kept_rows = std::uint64_t{1} << 19;
};

// Whether the limits can be kept by every search, and counted with 32 bits.
Status check_limits(const PoolLimits& limits);

// What the noisy number of rows and the schema say about the pool. Everything here is computed from
// released and public values alone.

// The most cells that a grid may have: a fifth of rows x epsilon, so that the average noise is at
// most a fifth of the average cell; at least 2.
std::uint64_t cell_threshold(std::int64_t noisy_rows, Epsilon histogram, const PoolLimits& limits);

// The finest level of each axis that any grid of at most `most_cells` cells can use.
Grid usable_levels(const GridSpace& space, std::uint64_t most_cells);

// The complete pool, if it keeps to the limits.
std::optional<GridPool> fitting_pool(const GridSpace& space, std::uint64_t most_cells,
                                     std::int64_t noisy_rows, const PoolLimits& limits);

// How many attributes to select when the complete pool is too large: enough for the finest grids
// that the threshold allows, 2 ln(threshold) / ln(median first branching), but no more than there
// are.
std::size_t feature_picks(const GridSpace& space, std::uint64_t most_cells);

// The space and pool over the selected attributes, best pick first: over as many of them as can be
// counted jointly within the limits; complete if the limits allow it, else GridPool::sample().
struct ChosenPool {
  GridSpace space;
  GridPool pool;
};
ChosenPool pool_over_picks(const Schema& schema, const std::vector<AttributeIndex>& picks,
                           std::uint64_t most_cells, std::int64_t noisy_rows,
                           const PoolLimits& limits);

}  // namespace privpfc
