#include "privpfc/counting/grid_counts.h"

namespace privpfc {

std::vector<std::int64_t> count_cells(const GridSpace& space, const Points& points,
                                      std::span<const HistogramAxis> axes) {
  std::uint64_t cell_count = 1;
  std::vector<std::uint64_t> cells(points.size(), 0);
  for (const auto& [axis, level] : axes) {
    const auto map = space.coarsening(axis, points.levels[axis], level);
    const std::uint64_t radix = space.node_count(axis, level);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = cells[i] * radix + map[points.node(space, i, axis)];
    }
    cell_count *= radix;
  }
  std::vector<std::int64_t> counts(cell_count * points.classes, 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t c = 0; c < points.classes; ++c) {
      counts[cells[i] * points.classes + c] += points.counts[i * points.classes + c];
    }
  }
  return counts;
}

std::vector<std::int64_t> count_grid(const GridSpace& space, const Points& points,
                                     const Grid& grid) {
  std::vector<HistogramAxis> axes;
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    if (grid[axis] != 0) axes.push_back({axis, grid[axis]});
  }
  return count_cells(space, points, axes);
}

}  // namespace privpfc
