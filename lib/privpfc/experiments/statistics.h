#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace privpfc {

double mean_of(std::span<const double> values);

// With n - 1 in the denominator; 0 for fewer than two values.
double deviation_of(std::span<const double> values);

// Errors of one method: by fold, then by repeat.
using FoldErrors = std::vector<std::vector<double>>;

// Two sources of variation, kept apart: which rows were trained on, and which noise was drawn.
struct ErrorSummary {
  double mean = 0;
  double fold_deviation = 0;    // of the folds' means
  double repeat_deviation = 0;  // within folds, pooled
  // 95 % for the mean over folds, by Student's law on the folds' means. Folds share training rows,
  // so this is a little too narrow, as it is everywhere in the literature.
  double low = 0;
  double high = 0;
};
ErrorSummary summarise(const FoldErrors& errors);

// Wilcoxon's signed-rank test of whether paired differences are centred at zero; two-sided.
//
// Zero differences are left out; equal sizes share the mean of their ranks. Up to kExactPairs
// pairs, p is exact given the ranks (ties included); above, it is the normal law with variance
// (sum of squared ranks) / 4, which is what ties make of n(n+1)(2n+1)/24, with a continuity
// correction.
struct SignedRankTest {
  std::size_t pairs = 0;  // without the zeros
  double positive = 0;    // the sum of the ranks of positive differences
  double p = 1;
};
inline constexpr std::size_t kExactPairs = 60;
SignedRankTest signed_rank_test(std::span<const double> differences);

}  // namespace privpfc
