#pragma once

#include <cstdint>
#include <vector>

#include "privpfc/counting/grid_pool.h"
#include "privpfc/counting/points.h"
#include "privpfc/quality/misclassification.h"

namespace privpfc {

// The score of every grid of the pool, by the pool's numbering: grid_score(count_grid(...)) to the
// last bit, but from counts that are rolled up from finer ones and never from the rows again.
// Requires points at levels that no grid of the pool passes, fewer than 2^31 rows. The result does
// not depend on `threads` (0: one per core).
std::vector<std::int64_t> score_pool(const GridSpace& space, const GridPool& pool,
                                     const Points& points, const MisclassificationTable& table,
                                     unsigned threads);

}  // namespace privpfc
