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

// The counts in proportion, if they sum to more than `most`: then they sum to `most` exactly.
std::vector<std::uint64_t> thin_counts(std::vector<std::uint64_t> counts, std::uint64_t most);

// More rows than this are never made: they are numbered with 32 bits.
inline constexpr std::uint64_t kMostSyntheticRows = 4'000'000'000;

// The number of synthetic rows of each cell and class: cell * classes + class. Where epsilon is
// tiny the noisy totals may be far beyond any table; there are at most `most_rows` in all, each
// cell with its part. Post-processing of released numbers alone.
std::vector<std::uint64_t> synthetic_counts(const Synopsis& synopsis,
                                            std::uint64_t most_rows = kMostSyntheticRows);

}  // namespace privpfc
