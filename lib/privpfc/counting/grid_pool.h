#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "privpfc/counting/grid_space.h"

namespace privpfc {

// Grids of a space with at most `most_cells` cells, the one-cell grid among them: all, or, where
// these are too many, a public sample. They are numbered in a fixed public order. Grids that use
// the same axes besides the chain stand together in a block, so that one grouping of the rows by
// these axes serves them all; and within a block those that differ in the chain's level alone stand
// together, so that one count serves them all.
class GridPool {
 public:
  struct Block {
    std::vector<std::uint16_t> axes;  // ascending, without the chain
    std::uint64_t first_grid = 0;
    std::uint64_t grid_count = 0;
  };

  // The pool, or nothing when it has more than `most_grids` grids (how many is then not known).
  // Requires most_cells >= 1.
  static std::optional<GridPool> enumerate(const GridSpace& space, std::uint64_t most_cells,
                                           std::uint64_t most_grids);

  struct Limits {
    std::uint64_t grids;
    std::uint64_t total_cells;
  };
  // For spaces with too many grids: complete over the first axes of `ranked`, as many as half the
  // limits allow; the rest of the limits goes to a sample of the other sets of axes, an equal part
  // to each number of axes. A fixed rule draws it, so that it is the same for everybody.
  // Requires most_cells >= 1 and axes of this space. Limits that leave no room even for the chain
  // give the pool of the one-cell grid.
  static GridPool sample(const GridSpace& space, std::uint64_t most_cells, const Limits& limits,
                         const std::vector<std::size_t>& ranked);

  std::uint64_t size() const { return size_; }
  std::uint64_t most_cells() const { return most_cells_; }
  bool is_complete() const { return is_complete_; }  // not a sample
  // The cells of all grids together: what scoring the pool costs.
  std::uint64_t total_cells() const { return total_cells_; }
  const std::vector<Block>& blocks() const { return blocks_; }

  Grid grid(const GridSpace& space, std::uint64_t index) const;

 private:
  friend class PoolSampler;
  std::uint64_t most_cells_ = 0;
  bool is_complete_ = true;
  std::uint64_t size_ = 0;
  std::uint64_t total_cells_ = 0;
  std::vector<Block> blocks_;
};

// The finest level of the chain that fits beside `cells` cells of the other axes.
std::size_t deepest_chain_level(const GridSpace& space, std::uint64_t cells,
                                std::uint64_t most_cells);

// The cells of the block's coarsest grid, with every axis at level 1.
std::uint64_t least_cells(const GridSpace& space, const GridPool::Block& block);

// The order of the grids within a block, written once for all who follow it. Calls
// visit(levels, cells, deepest) for every combination of levels of the block's axes, each 1 or
// more; `cells` is their product. The grids of that call are the ones with chain levels 0 to
// `deepest`, in this order.
template <typename Visit>
void for_each_chain(const GridSpace& space, const GridPool::Block& block, std::uint64_t most_cells,
                    Visit&& visit);

}  // namespace privpfc

#include "privpfc/counting/grid_pool_inl.h"
