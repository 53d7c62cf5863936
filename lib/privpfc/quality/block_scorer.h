#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "privpfc/counting/grid_pool.h"
#include "privpfc/counting/points.h"
#include "privpfc/quality/misclassification.h"
#include "privpfc/quality/packed_pairs.h"

namespace privpfc {

// Scores the grids of one block after the other. It owns all the memory that this needs, and gets
// none while it goes from grid to grid. For one thread.
class BlockScorer {
 public:
  BlockScorer(const GridSpace& space, std::uint64_t most_cells, const MisclassificationTable& table,
              CountForm form, std::vector<std::int64_t>& scores);

  // Writes the scores of the block's grids to their places. Requires points at levels that no grid
  // of the block passes, fewer than 2^31 rows.
  void score(const GridPool::Block& block, const Points& points);

 private:
  using Nodes = std::vector<std::uint16_t>;
  using Cells = std::vector<std::uint32_t>;

  // Rows seen by the axes of the block whose levels are still open, and by the cell that the others
  // have decided. Equal ones are put together now and then, each time into the next view.
  struct View {
    std::size_t size = 0;
    const std::uint32_t* rows = nullptr;     // view's point * classes + class
    std::vector<std::uint32_t> merged_rows;  // what `rows` points to, unless the points' own
    std::vector<std::vector<Nodes>> nodes;   // by position in the block and level
    std::vector<Cells> cells;                // by position: the cell that the axes before it decide
    Nodes chain_nodes;
    std::size_t chain_level = 0;
  };

  // What one view needs at most: the finest levels that are still possible at and behind a
  // position.
  struct Reach {
    std::vector<std::uint8_t> levels;  // by position; those before it mean nothing
    std::size_t chain_level = 0;
    std::uint64_t most_points = 1;  // as many combinations as there are
    std::uint64_t uses = 1;         // at least so many histograms are counted from it
  };

  void unpack(View& view, const Points& points);
  void find_reach(std::size_t position, std::uint64_t cells, std::uint64_t least_behind);
  View& merged(View& view, std::size_t depth, std::size_t position, std::uint64_t cells,
               std::uint64_t least_behind);
  void extend(View& view, std::size_t depth, std::size_t position, std::uint64_t cells,
              std::uint64_t least_behind);
  std::size_t keep_filled(std::uint32_t* numbers, std::uint32_t* rows) const;
  void score_chain(const View& view, std::uint64_t cells);
  void count_cells(const View& view, std::size_t cells, const Cells& cell_of);
  void clear_counts(std::size_t cells);
  void add_rows(std::uint32_t* cell, const std::uint32_t* rows) const;
  std::int64_t score_counts(std::size_t cells) const;

  const GridSpace& space_;
  const std::uint64_t most_cells_;
  std::vector<std::int64_t>& scores_;
  const CountForm form_;
  std::vector<std::int64_t> excess_;
  std::vector<std::uint32_t> narrow_excess_;  // the same, for packed pairs

  std::vector<std::unique_ptr<View>> views_;  // by how often points were put together
  Reach reach_;

  const GridPool::Block* block_ = nullptr;
  std::size_t classes_ = 0;  // numbers per cell: one if they are packed pairs
  std::uint64_t next_grid_ = 0;
  std::vector<std::uint32_t> slab_starts_;  // by node of the chain's axis
  std::vector<std::uint32_t> counts_;
};

}  // namespace privpfc
