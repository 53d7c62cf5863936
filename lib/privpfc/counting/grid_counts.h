#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/counting/points.h"

namespace privpfc {

// One axis of a histogram, seen at one level.
struct HistogramAxis {
  std::size_t axis;
  std::size_t level;
};

// The histogram over these axes: cell * classes + class, every cell of the product, empty ones too;
// the first axis varies slowest. Requires level <= points.levels[axis].
std::vector<std::int64_t> count_cells(const GridSpace& space, const Points& points,
                                      std::span<const HistogramAxis> axes);

// The same for a grid: over the axes it does not drop, in the order of the space.
std::vector<std::int64_t> count_grid(const GridSpace& space, const Points& points,
                                     const Grid& grid);

}  // namespace privpfc
