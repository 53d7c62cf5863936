#include "privpfc/experiments/statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "privpfc/base/contract.h"

namespace privpfc {

double mean_of(std::span<const double> values) {
  require(!values.empty(), "a mean needs a value");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

ErrorSummary summarise(const FoldErrors& errors) {
  require(!errors.empty(), "a summary needs a fold");
  std::vector<double> means;
  double squares = 0;
  std::size_t freedom = 0;
  for (const std::vector<double>& repeats : errors) {
    means.push_back(mean_of(repeats));
    const double deviation = deviation_of(repeats);
    squares += deviation * deviation * static_cast<double>(repeats.size() - 1);
    freedom += repeats.size() - 1;
  }
  ErrorSummary summary;
  summary.mean = mean_of(means);
  summary.fold_deviation = deviation_of(means);
  if (freedom > 0) summary.repeat_deviation = std::sqrt(squares / static_cast<double>(freedom));
  summary.low = summary.high = summary.mean;
  if (means.size() > 1) {
    const boost::math::students_t law(static_cast<double>(means.size() - 1));
    const double half = boost::math::quantile(law, 0.975) * summary.fold_deviation /
                        std::sqrt(static_cast<double>(means.size()));
    summary.low = std::max(0.0, summary.mean - half);
    summary.high = std::min(1.0, summary.mean + half);
  }
  return summary;
}

namespace {

// Twice the ranks of |differences|, so that shared ranks are whole numbers.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& differences) {
  std::vector<std::size_t> order(differences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return std::abs(differences[i]); };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return size(a) < size(b); });
  std::vector<std::size_t> ranks(differences.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && size(order[end]) == size(order[first])) ++end;
    for (std::size_t i = first; i < end; ++i) ranks[order[i]] = first + 1 + end;
    first = end;
  }
  return ranks;
}

// The share of all 2^n ways to give the ranks signs whose positive sum is at most `sum` (doubled).
double share_at_most(const std::vector<std::size_t>& ranks, std::size_t sum) {
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<double> ways(total + 1, 0);
  ways[0] = 1;
  std::size_t reach = 0;
  for (const std::size_t rank : ranks) {
    reach += rank;
    for (std::size_t at = reach + 1; at-- > 0;) {
      ways[at] = (ways[at] + (at >= rank ? ways[at - rank] : 0)) / 2;
    }
  }
  double share = 0;
  for (std::size_t at = 0; at <= sum; ++at) share += ways[at];
  return share;
}

}  // namespace

SignedRankTest signed_rank_test(std::span<const double> differences) {
  std::vector<double> kept;
  std::copy_if(differences.begin(), differences.end(), std::back_inserter(kept),
               [](double difference) { return difference != 0; });
  SignedRankTest test;
  test.pairs = kept.size();
  if (kept.empty()) return test;
  const std::vector<std::size_t> ranks = doubled_ranks(kept);
  std::size_t positive = 0;
  std::size_t total = 0;
  double squares = 0;  // of the ranks, not doubled
  for (std::size_t i = 0; i < kept.size(); ++i) {
    total += ranks[i];
    if (kept[i] > 0) positive += ranks[i];
    squares += static_cast<double>(ranks[i]) * static_cast<double>(ranks[i]) / 4;
  }
  test.positive = static_cast<double>(positive) / 2;
  const std::size_t smaller = std::min(positive, total - positive);
  if (kept.size() <= kExactPairs) {
    test.p = std::min(1.0, 2 * share_at_most(ranks, smaller));
  } else {
    const double distance = static_cast<double>(total) / 4 - static_cast<double>(smaller) / 2;
    const double z = std::max(0.0, distance - 0.5) / std::sqrt(squares / 4);
    test.p = std::min(1.0, std::erfc(z / std::sqrt(2.0)));
  }
  return test;
}

}  // namespace privpfc
