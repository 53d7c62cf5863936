#include "privpfc/experiments/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace privpfc;

namespace {

// Every way to give the differences signs, weighed alike.
double brute_force_p(const std::vector<double>& differences) {
  std::vector<double> kept;
  for (const double difference : differences) {
    if (difference != 0) kept.push_back(difference);
  }
  std::vector<double> ranks;
  for (const double difference : kept) {
    double below = 0;
    double equal = 0;
    for (const double other : kept) {
      below += std::abs(other) < std::abs(difference) ? 1 : 0;
      equal += std::abs(other) == std::abs(difference) ? 1 : 0;
    }
    ranks.push_back(below + (equal + 1) / 2);
  }
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    total += ranks[i];
    if (kept[i] > 0) sum += ranks[i];
  }
  const double distance = std::abs(sum - total / 2);
  double as_far = 0;
  const std::size_t ways = std::size_t{1} << kept.size();
  for (std::size_t signs = 0; signs < ways; ++signs) {
    double other = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) other += (signs >> i & 1) != 0 ? ranks[i] : 0;
    if (std::abs(other - total / 2) >= distance - 1e-9) as_far += 1;
  }
  return as_far / static_cast<double>(ways);
}

}  // namespace

TEST_CASE("the signed-rank test is exact, with ties and zeros") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 400; ++round) {
    std::vector<double> differences(1 + random() % 12);
    for (double& difference : differences) {
      difference = static_cast<double>(random() % 9) - (round % 2 == 0 ? 4 : 2);
    }
    const SignedRankTest test = signed_rank_test(differences);
    CHECK(test.p == doctest::Approx(brute_force_p(differences)).epsilon(1e-9));
  }
}

TEST_CASE("known values of the signed-rank test") {
  // All of ten differences positive: 2 / 2^10.
  const std::vector<double> up{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(signed_rank_test(up).p == doctest::Approx(2.0 / 1024));
  CHECK(signed_rank_test(up).positive == 55);
  CHECK(signed_rank_test(std::vector<double>{0, 0}).p == 1);
  CHECK(signed_rank_test(std::vector<double>{0, 0}).pairs == 0);
  CHECK(signed_rank_test(std::vector<double>{-1, 1}).p == 1);
}

TEST_CASE("the normal law continues the exact one") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.25, 1);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> differences(kExactPairs);
    for (double& difference : differences) difference = std::round(normal(random) * 8) / 8 + 0.01;
    const double exact = signed_rank_test(differences).p;
    differences.push_back(1e-9);  // one more pair with hardly any weight
    const SignedRankTest approximate = signed_rank_test(differences);
    REQUIRE(approximate.pairs > kExactPairs);
    CHECK(approximate.p == doctest::Approx(exact).epsilon(0.15));
  }
}

TEST_CASE("deviations over folds and over repeats are kept apart") {
  const ErrorSummary summary = summarise({{0.1, 0.3}, {0.3, 0.5}, {0.2, 0.4}});
  CHECK(summary.mean == doctest::Approx(0.3));
  CHECK(summary.fold_deviation == doctest::Approx(0.1));
  CHECK(summary.repeat_deviation == doctest::Approx(std::sqrt(0.02)));
  // Student's 97.5 % quantile with two degrees of freedom is 4.30265.
  CHECK(summary.high - summary.mean == doctest::Approx(4.30265 * 0.1 / std::sqrt(3.0)));
  CHECK(summary.mean - summary.low == doctest::Approx(4.30265 * 0.1 / std::sqrt(3.0)));
}
