#include "privpfc/audit/epsilon_bound.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/effort.h"
#include "support/seeded_bits.h"

using namespace privpfc;

namespace {

// The probability of exactly `hits` of `runs`.
double binomial(std::size_t hits, std::size_t runs, double share) {
  const auto n = static_cast<double>(runs);
  const auto k = static_cast<double>(hits);
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                  k * std::log(share) + (n - k) * std::log1p(-share));
}

// How often something of this probability happens in so many runs.
std::size_t count_hits(BitSource& bits, std::size_t runs, double share) {
  const auto limit = static_cast<std::uint64_t>(std::ldexp(share, 32));
  std::size_t hits = 0;
  for (std::size_t i = 0; i < runs; ++i) hits += bits.bits(32) < limit ? 1 : 0;
  return hits;
}

}  // namespace

TEST_CASE("the bounds are Clopper and Pearson's") {
  // Of tables that are in print; two-sided 95 % is 2.5 % on each side.
  CHECK(share_at_least(5, 10, 0.025) == doctest::Approx(0.18709).epsilon(1e-4));
  CHECK(share_at_most(5, 10, 0.025) == doctest::Approx(0.81291).epsilon(1e-4));
  CHECK(share_at_most(0, 10, 0.025) == doctest::Approx(0.30850).epsilon(1e-4));
  CHECK(share_at_least(10, 10, 0.025) == doctest::Approx(0.69150).epsilon(1e-4));
  // Nothing in n runs: 1 - significance^(1/n).
  CHECK(share_at_most(0, 1'000'000, 1e-9) ==
        doctest::Approx(-std::expm1(std::log(1e-9) / 1e6)).epsilon(1e-9));
  CHECK(share_at_least(0, 10, 0.1) == 0);
  CHECK(share_at_most(10, 10, 0.1) == 1);
}

TEST_CASE("each bound is wrong as seldom as it says, whatever the probability: exactly") {
  constexpr double kSignificance = 0.01;
  for (const std::size_t runs : {1U, 7U, 60U}) {
    double most_wrong = 0;
    for (int step = 1; step < 200; ++step) {
      const double share = step / 200.0;
      double low_wrong = 0;
      double high_wrong = 0;
      for (std::size_t hits = 0; hits <= runs; ++hits) {
        const double weight = binomial(hits, runs, share);
        if (share_at_least(hits, runs, kSignificance) > share) low_wrong += weight;
        if (share_at_most(hits, runs, kSignificance) < share) high_wrong += weight;
      }
      CHECK(low_wrong <= kSignificance * (1 + 1e-9));
      CHECK(high_wrong <= kSignificance * (1 + 1e-9));
      most_wrong = std::max({most_wrong, low_wrong, high_wrong});
    }
    if (runs == 60) CHECK(most_wrong > kSignificance / 2);  // and not much more seldom
  }
}

TEST_CASE("randomised response is not said to have more than its epsilon (1e-6)") {
  // Answers truly with probability e/(1+e): epsilon 1 exactly. Each bound may be wrong in one of 20
  // trials; of so many trials that is wrong more often than here with probability 1e-6.
  constexpr double kSignificance = 0.025;
  constexpr std::size_t kRuns = 400;
  const std::size_t trials = draws(2'000);
  const double often = std::exp(1.0) / (1 + std::exp(1.0));
  SeededBits bits(1);
  std::size_t wrong = 0;
  double sum = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const std::size_t hits = count_hits(bits, kRuns, often);
    const std::size_t others = count_hits(bits, kRuns, 1 - often);
    const double bound = epsilon_at_least(hits, others, kRuns, kSignificance);
    wrong += bound > 1 ? 1 : 0;
    sum += bound;
  }
  const auto n = static_cast<double>(trials);
  CHECK(static_cast<double>(wrong) <=
        2 * kSignificance * n + 4.8 * std::sqrt(2 * kSignificance * n));
  CHECK(sum / n > 0.6);
}

TEST_CASE("a delta is taken off, and counts that show nothing give nothing") {
  CHECK(epsilon_at_least(500, 500, 1'000, 0.01) == 0);
  CHECK(epsilon_at_least(0, 0, 1'000, 0.01) == 0);
  const double pure = epsilon_at_least(900, 100, 1'000, 0.01);
  CHECK(pure > 1.8);
  CHECK(epsilon_at_least(900, 100, 1'000, 0.01, 0.5) < pure - 0.5);
  CHECK(epsilon_at_least(900, 100, 1'000, 0.01, 0.9) == 0);
}

TEST_CASE("runs are enough where a program with twice the claimed epsilon would be refuted") {
  CHECK_FALSE(are_enough_runs(100, 1, 1e-6));
  CHECK(are_enough_runs(400, 1, 1e-6));
  CHECK_FALSE(are_enough_runs(2'000, 0.1, 1e-6));
  CHECK(are_enough_runs(20'000, 0.1, 1e-6));
  // A large epsilon: even what happens always on one table and never on the other shows less.
  CHECK(epsilon_at_least(10'000, 0, 10'000, 1e-6) < 10);
  CHECK_FALSE(are_enough_runs(10'000, 10, 1e-6));
  CHECK(are_enough_runs(1'000'000, 10, 1e-6));
  // More is asked of stricter bounds.
  CHECK(are_enough_runs(150, 1, 1e-3));
  CHECK_FALSE(are_enough_runs(150, 1, 1e-9));
}
