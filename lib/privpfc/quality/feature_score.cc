#include "privpfc/quality/feature_score.h"

#include <algorithm>
#include <numeric>

#include "privpfc/base/contract.h"

namespace privpfc {

FeatureScore::FeatureScore(std::span<const std::int64_t> class_counts) {
  require(class_counts.size() >= 2, "a label has at least two classes");
  constexpr std::uint64_t kLeast = kOne >> 10;
  const std::uint64_t spare = kOne - kLeast * class_counts.size();
  unsigned __int128 total = 0;
  for (const std::int64_t count : class_counts) {
    total += static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  }
  // Every class gets the least share; what is left is divided in proportion, rounded down, and the
  // largest class takes the few units that rounding leaves.
  for (const std::int64_t count : class_counts) {
    const auto positive = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
    const auto extra =
        total == 0
            ? spare / class_counts.size()
            : static_cast<std::uint64_t>(static_cast<unsigned __int128>(positive) * spare / total);
    shares_.push_back(kLeast + extra);
  }
  const std::uint64_t sum = std::accumulate(shares_.begin(), shares_.end(), std::uint64_t{0});
  *std::max_element(shares_.begin(), shares_.end()) += kOne - sum;
}

std::int64_t FeatureScore::operator()(std::span<const std::int64_t> counts) const {
  const std::size_t classes = shares_.size();
  std::int64_t score = 0;
  for (std::size_t leaf = 0; leaf < counts.size(); leaf += classes) {
    std::int64_t rows = 0;
    for (std::size_t c = 0; c < classes; ++c) rows += counts[leaf + c];
    for (std::size_t c = 0; c < classes; ++c) {
      const std::int64_t difference = counts[leaf + c] * static_cast<std::int64_t>(kOne) -
                                      static_cast<std::int64_t>(shares_[c]) * rows;
      score += difference < 0 ? -difference : difference;
    }
  }
  return score;
}

std::int64_t FeatureScore::score_range() const {
  // In units of 2^-17: 2 (1 - smallest share), taken twice over.
  const std::uint64_t smallest = *std::min_element(shares_.begin(), shares_.end());
  return static_cast<std::int64_t>(4 * (kOne - smallest));
}

}  // namespace privpfc
