#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "privpfc/counting/grid_space.h"
#include "privpfc/table/encoded_table.h"

namespace privpfc {

// Adds up, for every row of a batch, one number per axis that depends on the row's leaf alone: with
// the right numbers the sum is a packed key, or the number of a cell. All axes at one pass over a
// few rows, so that the sums stay in the first cache.
template <typename Sum>
class RowSums {
 public:
  // `of_leaf[leaf]` is what the axis adds.
  void add_axis(AttributeIndex attribute, std::vector<Sum> of_leaf) {
    axes_.push_back({attribute, std::move(of_leaf)});
  }

  // Overwrites `sums`, one per row.
  void compute(const EncodedBatch& batch, std::vector<Sum>& sums) const {
    sums.assign(batch.rows, 0);
    Sum* const sum = sums.data();
    constexpr std::size_t kRows = 2048;
    std::vector<CodesView> codes;
    for (const Axis& axis : axes_) codes.push_back(batch.attribute(axis.attribute));
    for (std::size_t first = 0; first < batch.rows; first += kRows) {
      const std::size_t end = std::min(first + kRows, batch.rows);
      for (std::size_t i = 0; i < axes_.size(); ++i) {
        const Sum* of_leaf = axes_[i].of_leaf.data();
        std::visit(
            [&](auto values) {
              for (std::size_t row = first; row < end; ++row) sum[row] += of_leaf[values[row]];
            },
            codes[i]);
      }
    }
  }

 private:
  struct Axis {
    AttributeIndex attribute;
    std::vector<Sum> of_leaf;
  };
  std::vector<Axis> axes_;
};

}  // namespace privpfc
