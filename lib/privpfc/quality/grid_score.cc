#include "privpfc/quality/grid_score.h"

#include "privpfc/base/contract.h"

namespace privpfc {

std::int64_t cell_score(std::span<const std::int64_t> counts, const MisclassificationTable& table) {
  require(counts.size() >= 2, "a label has at least two classes");
  std::int64_t total = 0;
  std::int64_t first = 0;
  std::int64_t second = 0;
  for (const std::int64_t count : counts) {
    total += count;
    if (count > first) {
      second = first;
      first = count;
    } else if (count > second) {
      second = count;
    }
  }
  return (total - first) * MisclassificationTable::kOneRow +
         table[static_cast<std::uint64_t>(first - second)];
}

std::int64_t grid_score(std::span<const std::int64_t> counts, std::size_t classes,
                        const MisclassificationTable& table) {
  std::int64_t score = 0;
  for (std::size_t cell = 0; cell < counts.size(); cell += classes) {
    score += cell_score(counts.subspan(cell, classes), table);
  }
  return score;
}

}  // namespace privpfc
