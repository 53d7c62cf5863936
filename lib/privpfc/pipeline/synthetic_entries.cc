#include "privpfc/pipeline/synthetic_entries.h"

#include <limits>
#include <numeric>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();

std::uint32_t row_total(std::span<const std::uint64_t> counts) {
  const std::uint64_t rows = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  require(rows <= kMost && counts.size() <= kMost, "rows and entries are numbered with 32 bits");
  return static_cast<std::uint32_t>(rows);
}

}  // namespace

SyntheticEntries::SyntheticEntries(std::span<const std::uint64_t> counts, ReplayRandom random)
    : rows_(row_total(counts)), order_(random, static_cast<std::uint32_t>(rows_)) {
  std::uint64_t end = 0;
  for (std::size_t entry = 0; entry < counts.size(); ++entry) {
    if (counts[entry] == 0) continue;
    end += counts[entry];
    entries_.push_back(static_cast<std::uint32_t>(entry));
    ends_.push_back(end);
  }
  // About two places to look up per entry.
  while ((rows_ >> shift_) > 2 * entries_.size()) ++shift_;
  std::uint32_t entry = 0;
  for (std::uint64_t row = 0; row < rows_; row += std::uint64_t{1} << shift_) {
    while (ends_[entry] <= row) ++entry;
    first_entry_.push_back(entry);
  }
}

void SyntheticEntries::fill(std::uint64_t first, std::span<std::uint32_t> entries) const {
  order_.fill(static_cast<std::uint32_t>(first), entries);
  for (std::uint32_t& value : entries) {
    const std::uint32_t row = value;
    std::uint32_t entry = first_entry_[row >> shift_];
    while (ends_[entry] <= row) ++entry;
    value = entries_[entry];
  }
}

}  // namespace privpfc
