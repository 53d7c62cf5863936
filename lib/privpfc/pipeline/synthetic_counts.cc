#include "privpfc/pipeline/synthetic_counts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace privpfc {
namespace {

// The epsilon of the step of this name.
double epsilon_of(const Synopsis& synopsis, std::string_view step) {
  for (const Synopsis::Step& one : synopsis.steps) {
    if (one.name == step) {
      return static_cast<double>(one.epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
    }
  }
  return 0;
}

std::uint64_t scattered(std::size_t index) {
  std::uint64_t mixed = (index + 1) * 0x9e3779b97f4a7c15u;
  mixed ^= mixed >> 31;
  return mixed * 0xbf58476d1ce4e5b9u;
}

}  // namespace

std::vector<std::uint64_t> fit_counts(std::span<const std::int64_t> noisy, std::int64_t total) {
  std::vector<std::uint64_t> fitted(noisy.size(), 0);
  if (total <= 0 || noisy.empty()) return fitted;
  // Largest first; among equals an order that favours no end of the grid.
  std::vector<std::size_t> order(noisy.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (noisy[a] != noisy[b]) return noisy[a] > noisy[b];
    return scattered(a) < scattered(b);
  });
  // The k largest counts stay above 0 under the shift (their sum - total) / k as long as the k-th
  // itself does. The largest k for which that holds is the one.
  __int128 sum = 0;
  __int128 kept_sum = 0;
  std::size_t kept = 0;
  for (std::size_t k = 1; k <= order.size(); ++k) {
    const __int128 count = noisy[order[k - 1]];
    sum += count;
    if (count * static_cast<__int128>(k) > sum - total) {
      kept = k;
      kept_sum = sum;
    }
  }
  // In whole numbers: shift by the ceiling, and give the rest back one by one.
  const __int128 excess = kept_sum - total;
  const auto divisor = static_cast<__int128>(kept);
  __int128 shift = excess / divisor;
  if (excess % divisor > 0) ++shift;
  __int128 left = total;
  for (std::size_t k = 0; k < kept; ++k) {
    const __int128 count = std::max<__int128>(0, noisy[order[k]] - shift);
    fitted[order[k]] = static_cast<std::uint64_t>(count);
    left -= count;
  }
  for (std::size_t k = 0; left > 0; k = (k + 1) % kept) {
    ++fitted[order[k]];
    --left;
  }
  return fitted;
}

std::vector<std::int64_t> synthetic_class_totals(const Synopsis& synopsis) {
  const std::size_t classes = synopsis.class_counts.size();
  const double direct = epsilon_of(synopsis, "class counts");
  const double by_cell = epsilon_of(synopsis, "grid histogram");
  const double direct_precision = direct * direct;
  const double cell_precision = by_cell * by_cell / static_cast<double>(synopsis.cell_count());
  std::vector<std::int64_t> totals;
  for (std::size_t c = 0; c < classes; ++c) {
    double sum = 0;
    for (std::size_t i = c; i < synopsis.cell_counts.size(); i += classes) {
      sum += static_cast<double>(synopsis.cell_counts[i]);
    }
    const double mean =
        (static_cast<double>(synopsis.class_counts[c]) * direct_precision + sum * cell_precision) /
        (direct_precision + cell_precision);
    totals.push_back(std::max<std::int64_t>(0, std::llround(mean)));
  }
  return totals;
}

std::vector<std::uint64_t> thin_counts(std::vector<std::uint64_t> counts, std::uint64_t most) {
  unsigned __int128 sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  if (sum <= most) return counts;
  // Each gets what the rounded-down part of all up to it has more than of all before it. Totals of
  // 2^63 and parts of 2^32 make a product of fewer than 128 bits.
  unsigned __int128 before = 0;
  unsigned __int128 given = 0;
  for (std::uint64_t& count : counts) {
    before += count;
    const unsigned __int128 due = before * most / sum;
    count = static_cast<std::uint64_t>(due - given);
    given = due;
  }
  return counts;
}

std::vector<std::uint64_t> synthetic_counts(const Synopsis& synopsis, std::uint64_t most_rows) {
  const std::size_t classes = synopsis.class_counts.size();
  const std::vector<std::int64_t> totals = synthetic_class_totals(synopsis);
  std::vector<std::uint64_t> counts(synopsis.cell_counts.size(), 0);
  std::vector<std::int64_t> noisy(synopsis.cell_count());
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t cell = 0; cell < noisy.size(); ++cell) {
      noisy[cell] = synopsis.cell_counts[cell * classes + c];
    }
    const std::vector<std::uint64_t> fitted = fit_counts(noisy, totals[c]);
    for (std::size_t cell = 0; cell < noisy.size(); ++cell) {
      counts[cell * classes + c] = fitted[cell];
    }
  }
  return thin_counts(std::move(counts), std::min(most_rows, kMostSyntheticRows));
}

}  // namespace privpfc
