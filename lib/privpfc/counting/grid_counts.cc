#include "privpfc/counting/grid_counts.h"

namespace privpfc {

std::vector<std::int64_t> count_grid(const GridSpace& space, const Points& points,
                                     const Grid& grid) {
  std::vector<std::int64_t> counts(space.cell_count(grid) * points.classes, 0);
  std::vector<std::uint64_t> cells(points.size(), 0);
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    if (grid[axis] == 0) continue;
    const auto map = space.coarsening(axis, points.levels[axis], grid[axis]);
    const std::uint64_t radix = space.node_count(axis, grid[axis]);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = cells[i] * radix + map[points.node(space, i, axis)];
    }
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t c = 0; c < points.classes; ++c) {
      counts[cells[i] * points.classes + c] += points.counts[i * points.classes + c];
    }
  }
  return counts;
}

}  // namespace privpfc
