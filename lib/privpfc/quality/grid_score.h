#pragma once

#include <cstdint>
#include <span>

#include "privpfc/quality/misclassification.h"

namespace privpfc {

// The score of one cell with these counts per class, in units of 2^-20 rows; lower is better:
// the rows outside the largest class, plus what the noise may add. Needs two classes or more.
std::int64_t cell_score(std::span<const std::int64_t> counts, const MisclassificationTable& table);

// The score of a grid: the sum over its cells. `counts` is cell * classes + class. Proof of the
// range that the selection relies on: grid_score.md.
std::int64_t grid_score(std::span<const std::int64_t> counts, std::size_t classes,
                        const MisclassificationTable& table);

}  // namespace privpfc
