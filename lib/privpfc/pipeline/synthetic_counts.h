#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/pipeline/synopsis.h"

namespace privpfc {

// Whole counts of at least 0 that sum to `total` exactly and lie as near to the noisy ones as an
// equal shift allows: one number is taken from all, what falls below 0 becomes 0 (norm-sub). The
// few units that are left over go to the largest counts. A total below 0 counts as 0.
std::vector<std::uint64_t> fit_counts(std::span<const std::int64_t> noisy, std::int64_t total);

// How many synthetic rows each class gets: the noisy class counts and the sums over the noisy cells
// are two measurements of the same thing, weighted by how precise each is.
std::vector<std::int64_t> synthetic_class_totals(const Synopsis& synopsis);

// The number of synthetic rows of each cell and class: cell * classes + class. Post-processing of
// released numbers alone.
std::vector<std::uint64_t> synthetic_counts(const Synopsis& synopsis);

}  // namespace privpfc
