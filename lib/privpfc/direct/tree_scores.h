#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "privpfc/direct/tree_options.h"
#include "privpfc/privacy/sensitivity.h"

namespace privpfc {

// The impurity of a split, a whole number: the sum of two sides. Lower is better. Adding a row to
// one side raises it by something from 0 to range(), and never lowers it. Proof: tree_scores.md.
class ImpurityScore {
 public:
  // `rows`: a released estimate of the number of rows; entropy is cut off there.
  ImpurityScore(SplitScore kind, std::int64_t rows);

  ScoreRange range() const { return ScoreRange(range_); }

  // Of the rows on one side. Requires counts that are not negative.
  std::int64_t side(std::span<const std::int64_t> class_counts) const;

 private:
  std::int64_t entropy_sum(std::int64_t count) const;

  SplitScore kind_;
  std::uint64_t range_;
  std::vector<std::int64_t> sums_;  // entropy: sums_[n] is the sum of the steps below n
};

}  // namespace privpfc
