#include "privpfc/direct/nb_smooth_bounds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "privpfc/direct/nb_counts.h"
#include "privpfc/direct/smooth_maximum.h"
#include "support/random_tables.h"

using namespace privpfc;

namespace {

constexpr auto kUnit = static_cast<std::int32_t>(kNbUnit);
constexpr double kWidth = 2.0 * kUnit;

double trimmed_mean(const SortedPlaces& places, std::size_t trimmed) {
  double sum = 0;
  for (std::size_t i = trimmed; i < places.size() - trimmed; ++i) sum += places[i];
  return sum / static_cast<double>(places.size() - 2 * trimmed);
}

double deviation(const SortedPlaces& places) {
  const double mean = trimmed_mean(places, 0);
  double squares = 0;
  for (const double place : places) squares += (place - mean) * (place - mean);
  return std::sqrt(squares / static_cast<double>(places.size()));
}

// The definition, by trying everything: all lists of these values, the largest change that one
// replacement can make to each, and e^(-beta distance).
class AllLists {
 public:
  AllLists(std::size_t size, std::vector<std::int32_t> values,
           const std::function<double(const SortedPlaces&)>& statistic)
      : values_(std::move(values)), size_(size) {
    SortedPlaces list;
    collect(list, 0);
    std::map<SortedPlaces, double> by_list;
    for (const SortedPlaces& one : lists_) by_list[one] = statistic(one);
    for (const SortedPlaces& one : lists_) {
      double most = 0;
      for (std::size_t i = 0; i < one.size(); ++i) {
        for (const std::int32_t value : values_) {
          SortedPlaces other = one;
          other[i] = value;
          std::sort(other.begin(), other.end());
          most = std::max(most, std::abs(by_list[other] - by_list[one]));
        }
      }
      results_.push_back(most);
    }
  }

  const std::vector<SortedPlaces>& lists() const { return lists_; }

  double smooth_sensitivity(const SortedPlaces& list, double beta) const {
    double most = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      std::vector<std::int32_t> common;
      std::set_intersection(list.begin(), list.end(), lists_[i].begin(), lists_[i].end(),
                            std::back_inserter(common));
      const auto distance = static_cast<double>(size_ - common.size());
      most = std::max(most, std::exp(-beta * distance) * results_[i]);
    }
    return most;
  }

 private:
  void collect(SortedPlaces& list, std::size_t from) {
    if (list.size() == size_) {
      lists_.push_back(list);
      return;
    }
    for (std::size_t v = from; v < values_.size(); ++v) {
      list.push_back(values_[v]);
      collect(list, v);
      list.pop_back();
    }
  }

  std::vector<std::int32_t> values_;
  std::size_t size_;
  std::vector<SortedPlaces> lists_;
  std::vector<double> results_;  // local sensitivities
};

const std::vector<std::int32_t> kFive{-kUnit, -kUnit / 2, 0, kUnit / 3, kUnit};

// The formulas, level by level and window by window: n^2 steps.
double plain_mean_bound(const SortedPlaces& places, std::size_t trimmed, double beta) {
  const auto n = static_cast<std::int64_t>(places.size());
  const auto m = static_cast<std::int64_t>(trimmed);
  const auto at = [&](std::int64_t i) -> double {  // counted from 1
    return i < 1 ? -kUnit : i > n ? kUnit : places[static_cast<std::size_t>(i - 1)];
  };
  double best = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    for (std::int64_t l = 0; l <= k + 1; ++l) {
      best = std::max(
          best, std::exp(-beta * static_cast<double>(k)) * (at(n - m + 1 + k - l) - at(m + 1 - l)));
    }
  }
  return best / static_cast<double>(n - 2 * m);
}

double plain_deviation_bound(const SortedPlaces& places, double beta) {
  const std::size_t n = places.size();
  const auto size = static_cast<double>(n);
  const double step = (size - 1) * kWidth * kWidth / (size * size);
  double best = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t kept = n - k - 1;
    double least = kept == 0 ? 0 : INFINITY;
    for (std::size_t begin = 0; kept > 0 && begin + kept <= n; ++begin) {
      const SortedPlaces window(places.begin() + static_cast<std::ptrdiff_t>(begin),
                                places.begin() + static_cast<std::ptrdiff_t>(begin + kept));
      const double d = deviation(window);
      least = std::min(least, d * d * static_cast<double>(kept) / size);
    }
    best = std::max(best, std::exp(-beta * static_cast<double>(k)) *
                              (std::sqrt(least + step) - std::sqrt(least)));
  }
  return best;
}

SortedPlaces random_places(Random& random, std::size_t size) {
  SortedPlaces places;
  const std::size_t shape = below(random, 4);
  const auto centre = static_cast<std::int32_t>(below(random, kUnit));
  for (std::size_t i = 0; i < size; ++i) {
    std::int32_t place = static_cast<std::int32_t>(below(random, 2 * kUnit + 1)) - kUnit;
    if (shape == 1) place = place / 100 + centre / 2;                        // close together
    if (shape == 2) place = below(random, 2) == 0 ? -kUnit : kUnit;          // at the ends
    if (shape == 3) place = below(random, 8) == 0 ? place : centre - kUnit;  // mostly one value
    places.push_back(std::clamp(place, -kUnit, kUnit));
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

TEST_CASE("the mean's smooth bound is its smooth sensitivity, by brute force over all lists") {
  std::size_t cases = 0;
  for (std::size_t size = 1; size <= 6; ++size) {
    for (std::size_t trimmed = 0; 2 * trimmed < size; ++trimmed) {
      const AllLists all(size, kFive,
                         [&](const SortedPlaces& list) { return trimmed_mean(list, trimmed); });
      for (const double beta : {0.01, 0.2, 1.0, 3.0}) {
        for (const SortedPlaces& list : all.lists()) {
          const double bound = nb_smooth_mean_bound(list, trimmed, beta);
          const double exact = all.smooth_sensitivity(list, beta);
          REQUIRE(bound == doctest::Approx(exact).epsilon(1e-9));
          ++cases;
        }
      }
    }
  }
  CHECK(cases > 3'000);
}

TEST_CASE("the deviation's smooth bound is above its smooth sensitivity, and smooth itself") {
  std::size_t cases = 0;
  double most = 0;
  for (std::size_t size = 1; size <= 6; ++size) {
    const AllLists all(size, kFive, deviation);
    for (const double beta : {0.01, 0.2, 1.0, 3.0}) {
      std::map<SortedPlaces, double> bounds;
      for (const SortedPlaces& list : all.lists()) {
        bounds[list] = nb_smooth_deviation_bound(list, beta);
        const double exact = all.smooth_sensitivity(list, beta);
        REQUIRE(bounds[list] >= exact * (1 - 1e-9));
        if (exact > 0) most = std::max(most, bounds[list] / exact);
        ++cases;
      }
      for (const auto& [list, bound] : bounds) {
        for (std::size_t i = 0; i < size; ++i) {
          for (const std::int32_t value : kFive) {
            SortedPlaces other = list;
            other[i] = value;
            std::sort(other.begin(), other.end());
            REQUIRE(bounds[other] <= bound * std::exp(beta) * (1 + 1e-9));
          }
        }
      }
    }
  }
  CHECK(cases > 1'500);
  CHECK(most < 4);  // and not far above it
}

TEST_CASE("the fast bounds are those of the plain loops: 6,000 lists") {
  Random random(1);
  for (int round = 0; round < 3'000; ++round) {
    const SortedPlaces places = random_places(random, between(random, 1, 60));
    const double beta = std::exp(-static_cast<double>(below(random, 900)) / 100);
    const std::size_t trimmed = below(random, (places.size() + 1) / 2);
    CAPTURE(round);
    REQUIRE(nb_smooth_mean_bound(places, trimmed, beta) ==
            doctest::Approx(plain_mean_bound(places, trimmed, beta)).epsilon(1e-9));
    REQUIRE(nb_smooth_deviation_bound(places, beta) ==
            doctest::Approx(plain_deviation_bound(places, beta)).epsilon(1e-6));
  }
}

TEST_CASE("the search for the largest decayed value misses nothing, and looks at few") {
  Random random(2);
  for (int round = 0; round < 2'000; ++round) {
    std::vector<double> rising{static_cast<double>(below(random, 3))};
    const std::size_t count = between(random, 1, 400);
    while (rising.size() < count) {
      const bool jump = below(random, 10) == 0;
      rising.push_back(rising.back() + (jump ? static_cast<double>(below(random, 50)) : 0.01));
    }
    const double beta = std::exp(-static_cast<double>(below(random, 700)) / 100);
    double plain = 0;
    for (std::size_t k = 0; k < count; ++k) {
      plain = std::max(plain, std::exp(-beta * static_cast<double>(k)) * rising[k]);
    }
    const double found =
        smooth_maximum(beta, count - 1, rising.back(), [&](std::size_t k) { return rising[k]; });
    REQUIRE(found == doctest::Approx(plain).epsilon(1e-12));
  }
  std::size_t looked = 0;
  smooth_maximum(1e-4, 1'000'000, 1'000'001, [&](std::size_t k) {
    ++looked;
    return static_cast<double>(k) + 1;
  });
  CHECK(looked < 2'000);
}

TEST_CASE("lists have the length that is asked for: lowest coins, middles where rows are few") {
  Feature bounds;
  bounds.low = 0;
  bounds.high = 2;
  Dataset data;
  data.rows.count = 5;
  data.labels = {0, 0, 1, 0, 0};
  data.weights.assign(5, 1);
  data.rows.columns.resize(1);
  data.rows.columns[0].numbers = {2, 0, 2, std::nan(""), 1.5};
  const std::vector<std::uint64_t> coins{5, 9, 1, 0, 7};
  const auto lists = nb_fixed_lists(data, coins, 0, bounds, {2, 3});
  CHECK(lists[0] == SortedPlaces{kUnit / 2, kUnit});  // the rows with the coins 5 and 7
  CHECK(lists[1] == SortedPlaces{0, 0, kUnit});
  CHECK(nb_trimmed_values(100, 5) == 5);
  CHECK(nb_trimmed_values(19, 5) == 0);
}
