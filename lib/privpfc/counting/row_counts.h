#pragma once

#include <cstdint>
#include <vector>

#include "privpfc/counting/points.h"
#include "privpfc/table/encoded_table.h"

namespace privpfc {

// Counts that come straight from the rows. Each is read off the table once; everything else is
// rolled up from these. They are sums of integers, so that the number of threads (0: one per core)
// makes no difference to them.

// Rows of each class.
std::vector<std::int64_t> count_classes(const EncodedTable& table, std::size_t classes);

// Rows of each leaf of one attribute and each class: leaf * classes + class.
std::vector<std::int64_t> count_leaves(const EncodedTable& table, AttributeIndex attribute,
                                       std::size_t leaves, std::size_t classes,
                                       unsigned threads = 1);

// More rows than this are not counted: refuse them before a budget is spent.
inline constexpr std::uint64_t kMostRows = (std::uint64_t{1} << 31) - 1;

// The rows as points at these levels of the space. Requires at most kMostRows rows.
Points group_rows(const EncodedTable& table, const GridSpace& space, std::size_t classes,
                  const Grid& levels, unsigned threads = 1);

}  // namespace privpfc
