#include "privpfc/direct/nb_smooth_bounds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "privpfc/base/contract.h"
#include "privpfc/direct/nb_counts.h"
#include "privpfc/direct/smooth_maximum.h"
#include "privpfc/privacy/uint128.h"

namespace privpfc {

namespace {

constexpr std::int64_t kLow = -kNbUnit;
constexpr std::int64_t kHigh = kNbUnit;
constexpr auto kWidth = static_cast<double>(kHigh - kLow);

// Place `i` of the list, counted from 0; the ends of the domain beyond it.
std::int64_t place_at(const SortedPlaces& places, std::int64_t i) {
  if (i < 0) return kLow;
  if (i >= static_cast<std::int64_t>(places.size())) return kHigh;
  return places[static_cast<std::size_t>(i)];
}

// Sums of the first i places and of their squares.
struct Prefixes {
  std::vector<std::int64_t> sums{0};
  std::vector<std::uint64_t> squares{0};

  explicit Prefixes(const SortedPlaces& places) {
    sums.reserve(places.size() + 1);
    squares.reserve(places.size() + 1);
    for (const std::int64_t place : places) {
      sums.push_back(sums.back() + place);
      squares.push_back(squares.back() + static_cast<std::uint64_t>(place * place));
    }
  }

  // count^2 times the variance of the places begin to begin + count - 1: a whole number.
  Uint128 spread(std::size_t begin, std::size_t count) const {
    const Int128 sum = sums[begin + count] - sums[begin];
    const std::uint64_t square = squares[begin + count] - squares[begin];
    return static_cast<Uint128>(count) * square - static_cast<Uint128>(sum * sum);
  }
};

// Every bound is at least this many fine units, so that rounding is small against it.
constexpr double kLeastBound = 1 << 22;

SmoothValue rounded(std::int64_t value, double bound) {
  // A thousandth of a millionth is far more than floating point can have lost; the two units are
  // for the rounding of the value and of its neighbour.
  const double fine = bound * static_cast<double>(kNbFine) * (1 + 1e-9);
  return {value, static_cast<std::uint64_t>(std::max(std::ceil(fine) + 2, kLeastBound))};
}

double real_beta(const Smoothness& declared) {
  require(declared.beta.units() > kNbRoundingUnits, "no smoothness is left after rounding");
  return static_cast<double>(declared.beta.units() - kNbRoundingUnits) /
         static_cast<double>(Epsilon::kUnitsPerOne);
}

}  // namespace

std::vector<SortedPlaces> nb_fixed_lists(const Dataset& data,
                                         const std::vector<std::uint64_t>& coins,
                                         const std::size_t& feature, const Feature& bounds,
                                         const ListSizes& sizes) {
  using Ticket = std::pair<std::uint64_t, std::int32_t>;  // equal coins: the lower place first
  std::vector<std::vector<Ticket>> tickets(sizes.size());
  const std::vector<double>& numbers = data.rows.columns[feature].numbers;
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (std::isnan(numbers[i])) continue;
    const std::int64_t place = nb_lattice(numbers[i], bounds.low, bounds.high);
    tickets[data.labels[i]].emplace_back(coins[i], static_cast<std::int32_t>(place));
  }
  std::vector<SortedPlaces> lists;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (tickets[c].size() > sizes[c]) {
      std::nth_element(tickets[c].begin(),
                       tickets[c].begin() + static_cast<std::ptrdiff_t>(sizes[c]),
                       tickets[c].end());
      tickets[c].resize(sizes[c]);
    }
    SortedPlaces list;
    list.reserve(sizes[c]);
    for (const Ticket& ticket : tickets[c]) list.push_back(ticket.second);
    list.resize(sizes[c], 0);
    std::sort(list.begin(), list.end());
    lists.push_back(std::move(list));
  }
  return lists;
}

std::size_t nb_trimmed_values(std::size_t size, unsigned percent) {
  require(percent < 50, "something is left of a trimmed list");
  return size * percent / 100;
}

double nb_smooth_mean_bound(const SortedPlaces& places, std::size_t trimmed, double beta) {
  const auto n = static_cast<std::int64_t>(places.size());
  const auto m = static_cast<std::int64_t>(trimmed);
  require(2 * m < n && beta > 0, "a trimmed list has values");
  // After `distance` replacements, how far can the next one move the sum of what is kept? It lets
  // one value in at one end of the kept window and another one out at its other end.
  const auto at = [&](std::size_t distance) {
    const auto k = static_cast<std::int64_t>(distance);
    std::int64_t widest = 0;
    const std::int64_t first = std::max<std::int64_t>(0, k - m);  // beyond, both ends are reached
    const std::int64_t last = std::min(k + 1, m + 1);
    for (std::int64_t l = first; l <= last; ++l) {
      widest = std::max(widest, place_at(places, n - m + k - l) - place_at(places, m - l));
    }
    return static_cast<double>(widest);
  };
  return smooth_maximum(beta, static_cast<std::size_t>(2 * m + 1), kWidth, at) /
         static_cast<double>(n - 2 * m);
}

double nb_smooth_deviation_bound(const SortedPlaces& places, double beta) {
  const std::size_t n = places.size();
  require(n > 0 && beta > 0, "a list has values");
  const auto size = static_cast<double>(n);
  const double step = (size - 1) * kWidth * kWidth / (size * size);  // one replacement's variance
  const auto increase = [&](double variance) {
    const double both = std::sqrt(variance + step) + std::sqrt(variance);
    return both > 0 ? step / both : 0;
  };
  const Prefixes prefixes(places);
  // The least variance within distance + 1 replacements: a window is kept, the others go to its
  // mean.
  const auto at = [&](std::size_t distance) {
    const std::size_t moved = distance + 1;
    const std::size_t kept = n - moved;
    if (kept == 0) return increase(0);
    Uint128 least = prefixes.spread(0, kept);
    for (std::size_t begin = 1; begin <= moved; ++begin) {
      least = std::min(least, prefixes.spread(begin, kept));
    }
    return increase(static_cast<double>(least) / (static_cast<double>(kept) * size));
  };
  return smooth_maximum(beta, n - 1, increase(0), at);
}

std::vector<SmoothValue> nb_smooth_means(const std::vector<SortedPlaces>& lists,
                                         const unsigned& trim_percent, const Smoothness& declared) {
  const double beta = real_beta(declared);
  std::vector<SmoothValue> means;
  for (const SortedPlaces& list : lists) {
    const std::size_t trimmed = nb_trimmed_values(list.size(), trim_percent);
    std::int64_t sum = 0;
    for (std::size_t i = trimmed; i < list.size() - trimmed; ++i) sum += list[i];
    const auto kept = static_cast<Int128>(list.size() - 2 * trimmed);
    const Int128 fine = static_cast<Int128>(sum) * kNbFine;
    const Int128 half = fine < 0 ? -kept / 2 : kept / 2;
    means.push_back(rounded(static_cast<std::int64_t>((fine + half) / kept),
                            nb_smooth_mean_bound(list, trimmed, beta)));
  }
  return means;
}

std::vector<SmoothValue> nb_smooth_deviations(const std::vector<SortedPlaces>& lists,
                                              const Smoothness& declared) {
  const double beta = real_beta(declared);
  std::vector<SmoothValue> deviations;
  for (const SortedPlaces& list : lists) {
    const auto size = static_cast<double>(list.size());
    const auto spread = static_cast<double>(Prefixes(list).spread(0, list.size()));
    const double deviation = std::sqrt(spread) / size;
    deviations.push_back(rounded(std::llround(deviation * static_cast<double>(kNbFine)),
                                 nb_smooth_deviation_bound(list, beta)));
  }
  return deviations;
}

}  // namespace privpfc
