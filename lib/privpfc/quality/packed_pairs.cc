#include "privpfc/quality/packed_pairs.h"

#include <algorithm>
#include <limits>

namespace privpfc {

CountForm count_form(const Points& points, const MisclassificationTable& table) {
  if (points.classes != 2) return CountForm::kPerClass;
  std::uint64_t totals[2] = {0, 0};
  for (std::size_t i = 0; i < points.counts.size(); ++i) totals[i % 2] += points.counts[i];
  const bool rows_fit = std::max(totals[0], totals[1]) < (1u << 16);
  const bool excess_fits =
      std::all_of(table.data(), table.data() + table.size(), [](std::int64_t excess) {
        return 0 <= excess && excess <= std::numeric_limits<std::int32_t>::max();
      });
  return rows_fit && excess_fits ? CountForm::kPackedPair : CountForm::kPerClass;
}

Points pack_pairs(const Points& points) {
  Points packed{1, points.words, points.levels, points.keys, {}};
  packed.counts.resize(points.size());
  for (std::size_t i = 0; i < packed.counts.size(); ++i) {
    packed.counts[i] = points.counts[2 * i] | points.counts[2 * i + 1] << 16;
  }
  return packed;
}

}  // namespace privpfc
