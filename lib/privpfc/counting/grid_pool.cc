#include "privpfc/counting/grid_pool.h"

#include <algorithm>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

// Every set of axes whose coarsest grid fits, those that contain the earlier axis first.
class Enumerator {
 public:
  Enumerator(const GridSpace& space, std::uint64_t most_cells, std::uint64_t most_grids)
      : space_(space), most_cells_(most_cells), most_grids_(most_grids) {}

  // False when there are too many.
  bool run() { return extend(0, 1); }

  std::vector<GridPool::Block> blocks;
  std::uint64_t size = 0;
  std::uint64_t total_cells = 0;

 private:
  bool extend(std::size_t axis, std::uint64_t least_cells) {
    if (axis == space_.chain()) return add_block();
    if (space_.level_count(axis) > 1) {
      const std::uint64_t with_axis = saturating_product(least_cells, space_.node_count(axis, 1));
      if (with_axis <= most_cells_) {
        axes_.push_back(static_cast<std::uint16_t>(axis));
        const bool fits = extend(axis + 1, with_axis);
        axes_.pop_back();
        if (!fits) return false;
      }
    }
    return extend(axis + 1, least_cells);
  }

  bool add_block() {
    GridPool::Block block{axes_, size, 0};
    for_each_chain(space_, block, most_cells_,
                   [&](const Grid&, std::uint64_t cells, std::size_t deepest) {
                     block.grid_count += deepest + 1;
                     for (std::size_t level = 0; level <= deepest; ++level) {
                       total_cells += cells * space_.node_count(space_.chain(), level);
                     }
                   });
    size += block.grid_count;
    blocks.push_back(std::move(block));
    return size <= most_grids_;
  }

  const GridSpace& space_;
  const std::uint64_t most_cells_;
  const std::uint64_t most_grids_;
  std::vector<std::uint16_t> axes_;
};

}  // namespace

std::size_t deepest_chain_level(const GridSpace& space, std::uint64_t cells,
                                std::uint64_t most_cells) {
  std::size_t level = 0;
  while (level < space.finest_level(space.chain()) &&
         saturating_product(cells, space.node_count(space.chain(), level + 1)) <= most_cells) {
    ++level;
  }
  return level;
}

std::uint64_t least_cells(const GridSpace& space, const GridPool::Block& block) {
  std::uint64_t cells = 1;
  for (const std::uint16_t axis : block.axes) {
    cells = saturating_product(cells, space.node_count(axis, 1));
  }
  return cells;
}

std::optional<GridPool> GridPool::enumerate(const GridSpace& space, std::uint64_t most_cells,
                                            std::uint64_t most_grids) {
  require(most_cells >= 1, "a grid has at least one cell");
  Enumerator enumerator(space, most_cells, most_grids);
  if (!enumerator.run()) return std::nullopt;
  GridPool pool;
  pool.most_cells_ = most_cells;
  pool.size_ = enumerator.size;
  pool.total_cells_ = enumerator.total_cells;
  pool.blocks_ = std::move(enumerator.blocks);
  return pool;
}

Grid GridPool::grid(const GridSpace& space, std::uint64_t index) const {
  require(index < size_, "the pool has no such grid");
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), index,
      [](std::uint64_t wanted, const Block& block) { return wanted < block.first_grid; });
  const Block& block = *(after - 1);
  Grid grid(space.axis_count(), 0);
  std::uint64_t next = block.first_grid;
  for_each_chain(space, block, most_cells_,
                 [&](const Grid& levels, std::uint64_t, std::size_t deepest) {
                   if (index >= next && index <= next + deepest) {
                     for (std::size_t i = 0; i < block.axes.size(); ++i) {
                       grid[block.axes[i]] = levels[i];
                     }
                     grid[space.chain()] = static_cast<std::uint8_t>(index - next);
                   }
                   next += deepest + 1;
                 });
  return grid;
}

}  // namespace privpfc
