#include "privpfc/pipeline/synthetic_counts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/random_tables.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

using Counts = std::vector<std::int64_t>;

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// The same with real numbers: the shift by bisection.
std::vector<double> norm_sub(const Counts& noisy, double total) {
  const auto shifted = [&](double shift) {
    std::vector<double> values;
    for (const std::int64_t count : noisy) {
      values.push_back(std::max(0.0, static_cast<double>(count) - shift));
    }
    return values;
  };
  double low = -1e7;
  double high = 1e7;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    const std::vector<double> values = shifted(middle);
    (std::accumulate(values.begin(), values.end(), 0.0) > total ? low : high) = middle;
  }
  return shifted(high);
}

Synopsis random_synopsis(Random& random, std::size_t classes, std::size_t cells) {
  Synopsis synopsis;
  for (std::size_t c = 0; c < classes; ++c) {
    synopsis.class_counts.push_back(static_cast<std::int64_t>(below(random, 1'000)) - 100);
  }
  for (std::size_t i = 0; i < cells * classes; ++i) {
    synopsis.cell_counts.push_back(static_cast<std::int64_t>(below(random, 60)) - 20);
  }
  synopsis.steps = {{"class counts", "discrete Laplace", eps("0.03")},
                    {"grid selection", "permute-and-flip", eps("0.37")},
                    {"grid histogram", "discrete Laplace", eps("0.6")}};
  return synopsis;
}

}  // namespace

TEST_CASE("fitted counts sum to the total and lie within one of the real-valued norm-sub") {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    const std::size_t spread = std::size_t{1} << between(random, 1, 16);
    Counts noisy(between(random, 1, 60));
    for (std::int64_t& count : noisy) {
      count =
          static_cast<std::int64_t>(below(random, spread)) - static_cast<std::int64_t>(spread / 2);
    }
    const auto total = static_cast<std::int64_t>(between(random, 1, 40 * spread));
    const std::vector<std::uint64_t> fitted = fit_counts(noisy, total);
    const std::vector<double> expected = norm_sub(noisy, static_cast<double>(total));
    REQUIRE(fitted.size() == noisy.size());
    CHECK(sum(fitted) == static_cast<std::uint64_t>(total));
    bool near = true;
    for (std::size_t i = 0; i < noisy.size(); ++i) {
      near &= std::abs(static_cast<double>(fitted[i]) - expected[i]) < 1 + 1e-3;
    }
    CHECK(near);
  }
}

TEST_CASE("counts at the ends of their type are fitted too") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  for (const Counts& noisy : {Counts{kMost}, Counts{kLeast}, Counts{kMost, kLeast},
                              Counts{kMost, kMost, kMost}, Counts{kLeast, kLeast}, Counts{0, 0}}) {
    for (const std::int64_t total : {std::int64_t{1}, std::int64_t{1'000}, kMost}) {
      CHECK(sum(fit_counts(noisy, total)) == static_cast<std::uint64_t>(total));
    }
  }
  CHECK(fit_counts(Counts{5, 6}, 0) == std::vector<std::uint64_t>{0, 0});
  CHECK(fit_counts(Counts{5, 6}, kLeast) == std::vector<std::uint64_t>{0, 0});
  CHECK(fit_counts(Counts{}, 10).empty());
}

TEST_CASE("units that are left over go to the largest counts") {
  CHECK(fit_counts(Counts{10, 9, 1}, 18) == std::vector<std::uint64_t>{10, 8, 0});
  CHECK(fit_counts(Counts{3, 2, -7}, 7) == std::vector<std::uint64_t>{4, 3, 0});
}

TEST_CASE("synthetic rows of each class are as many as its total says") {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const std::size_t classes = between(random, 2, 5);
    const Synopsis synopsis = random_synopsis(random, classes, between(random, 1, 50));
    const Counts totals = synthetic_class_totals(synopsis);
    const std::vector<std::uint64_t> counts = synthetic_counts(synopsis);
    REQUIRE(counts.size() == synopsis.cell_counts.size());
    for (std::size_t c = 0; c < classes; ++c) {
      std::uint64_t rows = 0;
      for (std::size_t i = c; i < counts.size(); i += classes) rows += counts[i];
      CHECK(totals[c] >= 0);
      CHECK(rows == static_cast<std::uint64_t>(totals[c]));
    }
  }
}

TEST_CASE("more rows than are allowed are thinned in proportion, to that many exactly") {
  using Counts64 = std::vector<std::uint64_t>;
  CHECK(thin_counts({5, 0, 7}, 12) == Counts64{5, 0, 7});
  CHECK(thin_counts({50, 0, 70}, 12) == Counts64{5, 0, 7});
  CHECK(thin_counts({}, 3).empty());
  std::mt19937_64 random(8);
  for (int round = 0; round < 300; ++round) {
    Counts64 counts(1 + random() % 50);
    for (std::uint64_t& count : counts) count = random() >> (3 + random() % 60);
    const std::uint64_t most = 1 + random() % kMostSyntheticRows;
    const Counts64 thinned = thin_counts(counts, most);
    unsigned __int128 before = 0;
    unsigned __int128 after = 0;
    for (const std::uint64_t count : counts) before += count;
    for (const std::uint64_t count : thinned) after += count;
    CHECK((after == (before <= most ? before : most)));
    if (before <= most) continue;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double due =
          static_cast<double>(counts[i]) * static_cast<double>(most) / static_cast<double>(before);
      CHECK(std::abs(static_cast<double>(thinned[i]) - due) <= 1.001);
    }
  }
}

TEST_CASE("a class total lies between its two measurements, nearer to the more precise one") {
  Synopsis synopsis;
  synopsis.class_counts = {1'000, 0};
  synopsis.cell_counts = {1'100, 0};
  synopsis.steps = {{"class counts", "discrete Laplace", eps("0.1")},
                    {"grid histogram", "discrete Laplace", eps("0.3")}};
  CHECK(synthetic_class_totals(synopsis) == Counts{1'090, 0});
  // With nine cells the sum over them is as noisy as the direct count.
  synopsis.cell_counts.assign(18, 0);
  synopsis.cell_counts[0] = 1'100;
  CHECK(synthetic_class_totals(synopsis) == Counts{1'050, 0});
}
