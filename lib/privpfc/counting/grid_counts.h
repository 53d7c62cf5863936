#pragma once

#include <cstdint>
#include <vector>

#include "privpfc/counting/points.h"

namespace privpfc {

// The histogram of one grid: cell * classes + class, every cell of the product, empty ones too. The
// first axis varies slowest. Requires grid[axis] <= points.levels[axis].
std::vector<std::int64_t> count_grid(const GridSpace& space, const Points& points,
                                     const Grid& grid);

}  // namespace privpfc
