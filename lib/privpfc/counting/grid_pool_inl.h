#pragma once

// The template of grid_pool.h; include that one.

#include "privpfc/counting/grid_pool.h"

namespace privpfc {
namespace internal {

template <typename Visit>
void chains_from(const GridSpace& space, const GridPool::Block& block, std::uint64_t most_cells,
                 std::size_t position, std::uint64_t cells, std::uint64_t least_cells_behind,
                 Grid& levels, Visit& visit) {
  if (position == block.axes.size()) {
    visit(static_cast<const Grid&>(levels), cells, deepest_chain_level(space, cells, most_cells));
    return;
  }
  const std::size_t axis = block.axes[position];
  const std::uint64_t behind = least_cells_behind / space.node_count(axis, 1);
  for (std::size_t level = 1; level < space.level_count(axis); ++level) {
    const std::uint64_t here = cells * space.node_count(axis, level);
    if (saturating_product(here, behind) > most_cells) break;
    levels[position] = static_cast<std::uint8_t>(level);
    chains_from(space, block, most_cells, position + 1, here, behind, levels, visit);
  }
}

}  // namespace internal

template <typename Visit>
void for_each_chain(const GridSpace& space, const GridPool::Block& block, std::uint64_t most_cells,
                    Visit&& visit) {
  Grid levels(block.axes.size(), 1);
  internal::chains_from(space, block, most_cells, 0, 1, least_cells(space, block), levels, visit);
}

}  // namespace privpfc
