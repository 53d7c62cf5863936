#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/pipeline/row_order.h"

namespace privpfc {

// Which cell and class each synthetic row belongs to: cell * classes + class, its entry. Every
// entry comes as often as its count says, in an order that the seed decides.
class SyntheticEntries {
 public:
  // Requires fewer than 2^32 entries, and rows.
  SyntheticEntries(std::span<const std::uint64_t> counts, ReplayRandom random);

  std::uint64_t rows() const { return rows_; }

  // The entries of the rows `first`, `first` + 1, ...
  void fill(std::uint64_t first, std::span<std::uint32_t> entries) const;

 private:
  std::uint64_t rows_;
  RowOrder order_;
  // The entries that have rows, and the first row that is no longer an entry's, when rows are
  // sorted by entry.
  std::vector<std::uint32_t> entries_;
  std::vector<std::uint64_t> ends_;
  // Rows are looked up by their leading bits first: the first entry that can be theirs.
  unsigned shift_ = 0;
  std::vector<std::uint32_t> first_entry_;
};

}  // namespace privpfc
