#include "privpfc/direct/tree_scores.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "privpfc/privacy/uint128.h"

namespace privpfc {

namespace {

constexpr std::uint64_t kOne = 1U << 16;  // fixed point
constexpr std::int64_t kMostScoreSteps = 1 << 20;

// (t + 1) log2 (t + 1) - t log2 t: what one class count of t adds to n log2 n when it grows by one.
double entropy_step(double t) {
  return (t + 1) * std::log2(t + 1) - (t > 0 ? t * std::log2(t) : 0);
}

}  // namespace

ImpurityScore::ImpurityScore(SplitScore kind, std::int64_t rows) : kind_(kind), range_(1) {
  if (kind == SplitScore::kGini) range_ = 2 * kOne;
  if (kind == SplitScore::kEntropy) {
    const std::int64_t steps = std::clamp<std::int64_t>(rows, 1, kMostScoreSteps);
    sums_.assign(1, 0);
    std::int64_t step = 0;
    for (std::int64_t t = 0; t <= steps; ++t) {
      // Rounding must not make a step smaller than the one before.
      const auto rounded = static_cast<std::int64_t>(
          std::llround(entropy_step(static_cast<double>(t)) * static_cast<double>(kOne)));
      step = std::max(step, rounded);
      sums_.push_back(sums_.back() + step);
    }
    range_ = static_cast<std::uint64_t>(step);
  }
}

std::int64_t ImpurityScore::entropy_sum(std::int64_t count) const {
  const auto last = static_cast<std::int64_t>(sums_.size()) - 1;
  if (count <= last) return sums_[static_cast<std::size_t>(count)];
  return sums_.back() + (count - last) * static_cast<std::int64_t>(range_);
}

std::int64_t ImpurityScore::side(std::span<const std::int64_t> class_counts) const {
  std::int64_t total = 0;
  if (kind_ == SplitScore::kErrors) {
    std::int64_t most = 0;
    for (const std::int64_t count : class_counts) {
      total += count;
      most = std::max(most, count);
    }
    return total - most;
  }
  if (kind_ == SplitScore::kEntropy) {
    std::int64_t sum = 0;
    for (const std::int64_t count : class_counts) {
      total += count;
      sum -= entropy_sum(count);
    }
    return sum + entropy_sum(total);
  }
  Uint128 squares = 0;
  for (const std::int64_t count : class_counts) {
    total += count;
    squares += static_cast<Uint128>(count) * static_cast<Uint128>(count);
  }
  if (total == 0) return 0;
  const auto n = static_cast<Uint128>(total);
  return static_cast<std::int64_t>((n * n - squares) * kOne / n);
}

}  // namespace privpfc
