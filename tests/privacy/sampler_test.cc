#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "privpfc/privacy/bernoulli_exp.h"
#include "privpfc/privacy/discrete_laplace.h"
#include "privpfc/privacy/laplace_table.h"
#include "privpfc/privacy/uniform.h"
#include "support/chi_square.h"
#include "support/effort.h"
#include "support/seeded_bits.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

constexpr double kSignificance = 1e-6;
constexpr std::size_t kDraws = draws(1'000'000);
const L1Sensitivity kOne(1);

using Sampler = std::function<Int128(BitSource&)>;

Sampler exact_sampler(Decay decay) {
  return [decay](BitSource& bits) { return sample_discrete_laplace(bits, decay); };
}

Sampler table_sampler(Decay decay, unsigned prefix_bits = 63) {
  return [table = LaplaceTable(decay, prefix_bits)](BitSource& bits) { return table.sample(bits); };
}

// Against the law with this epsilon / sensitivity: everything beyond the span falls into the ends.
ChiSquare against_laplace(const Sampler& sampler, double x, std::uint64_t seed,
                          std::size_t count = kDraws) {
  const auto span = static_cast<std::int64_t>(std::ceil(20 / x)) + 1;
  const double alpha = std::exp(-x);
  std::vector<double> law;
  for (std::int64_t z = -span; z <= span; ++z) {
    const double m = std::abs(static_cast<double>(z));
    const double point = -std::expm1(-x) / (1 + alpha) * std::exp(-x * m);
    const double tail = std::exp(-x * m) / (1 + alpha);
    law.push_back(std::abs(z) == span ? tail : point);
  }
  std::vector<std::uint64_t> counts(law.size());
  SeededBits bits(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const Int128 z = std::clamp<Int128>(sampler(bits), -span, span);
    ++counts[static_cast<std::size_t>(z + span)];
  }
  return chi_square(counts, law, kSignificance);
}

Decay decay(const std::string& epsilon, std::uint64_t sensitivity = 1) {
  return decay_of(eps(epsilon), L1Sensitivity(sensitivity));
}

}  // namespace

TEST_CASE("uniform_below is uniform (chi-square, 1e-6), and a shortcut by remainder is not") {
  for (const std::uint64_t limit : {2U, 3U, 7U, 48U, 96U}) {
    std::vector<std::uint64_t> counts(limit);
    std::vector<std::uint64_t> wide(limit);
    std::vector<std::uint64_t> shortcut(limit);
    SeededBits bits(limit);
    for (std::size_t i = 0; i < kDraws; ++i) {
      ++counts[uniform_below(bits, limit)];
      ++wide[static_cast<std::size_t>(uniform_below_wide(bits, limit))];
      ++shortcut[bits.bits(7) % limit];
    }
    const std::vector<double> law(limit, 1.0 / static_cast<double>(limit));
    CAPTURE(limit);
    CHECK_FALSE(chi_square(counts, law, kSignificance).rejects());
    CHECK_FALSE(chi_square(wide, law, kSignificance).rejects());
    if (limit > 2 && kFullPower) CHECK(chi_square(shortcut, law, kSignificance).rejects());
  }
}

TEST_CASE("uniform_below reaches both ends of limits around 64 and 128 bits") {
  SeededBits bits(1);
  CHECK(uniform_below(bits, 1) == 0);
  const Uint128 top = ~Uint128{0};
  for (const Uint128 limit : {Uint128{1} << 64, (Uint128{1} << 64) + 1, Uint128{3} << 63, top}) {
    std::vector<std::uint64_t> eighths(8);
    for (int i = 0; i < 80'000; ++i) {
      const Uint128 drawn = uniform_below_wide(bits, limit);
      REQUIRE(drawn < limit);
      ++eighths[static_cast<std::size_t>(drawn / (limit / 8 + 1))];
    }
    CHECK_FALSE(chi_square(eighths, std::vector<double>(8, 0.125), kSignificance).rejects());
  }
}

TEST_CASE("bernoulli_exp has probability exp(-n/d) (chi-square, 1e-6); 2 % off is rejected") {
  struct Case {
    Uint128 n, d;
    double x;
  };
  const Uint128 huge = Uint128{1} << 104;
  for (const Case c : {Case{0, 5, 0}, Case{1, 3, 1.0 / 3}, Case{1, 1, 1}, Case{7, 2, 3.5},
                       Case{huge, huge / 3, 3}, Case{huge / 7, huge, 1.0 / 7}}) {
    SeededBits bits(static_cast<std::uint64_t>(c.x * 1000) + 3);
    std::vector<std::uint64_t> counts(2);
    for (std::size_t i = 0; i < kDraws; ++i) ++counts[bernoulli_exp(bits, c.n, c.d) ? 1 : 0];
    const double p = std::exp(-c.x);
    CAPTURE(c.x);
    if (c.n == 0) {
      CHECK(counts[0] == 0);
      continue;
    }
    CHECK_FALSE(chi_square(counts, {1 - p, p}, kSignificance).rejects());
    const double off = std::exp(-1.02 * c.x);
    if (kFullPower) CHECK(chi_square(counts, {1 - off, off}, kSignificance).rejects());
  }
  SeededBits bits(5);
  CHECK_FALSE(bernoulli_exp(bits, ~Uint128{0}, 1));  // ends, and underflows nowhere
}

TEST_CASE("discrete Laplace has its law (chi-square, 1e-6); 2 % wrong scales are rejected") {
  struct Case {
    const char* epsilon;
    const char* above;  // 2 % more and less
    const char* below;
    double x;
  };
  for (const Case c : {Case{"0.01", "0.0102", "0.0098", 0.01}, Case{"0.1", "0.102", "0.098", 0.1},
                       Case{"0.5", "0.51", "0.49", 0.5}, Case{"1", "1.02", "0.98", 1},
                       Case{"3", "3.06", "2.94", 3}}) {
    CAPTURE(c.epsilon);
    CHECK_FALSE(against_laplace(exact_sampler(decay(c.epsilon)), c.x, 11).rejects());
    if (kFullPower) CHECK(against_laplace(exact_sampler(decay(c.above)), c.x, 12).rejects());
    if (kFullPower) CHECK(against_laplace(exact_sampler(decay(c.below)), c.x, 13).rejects());
    CHECK_FALSE(against_laplace(table_sampler(decay(c.epsilon)), c.x, 14).rejects());
    if (kFullPower) CHECK(against_laplace(table_sampler(decay(c.above)), c.x, 15).rejects());
    if (kFullPower) CHECK(against_laplace(table_sampler(decay(c.below)), c.x, 16).rejects());
  }
}

TEST_CASE("the sensitivity divides epsilon (chi-square, 1e-6)") {
  CHECK_FALSE(against_laplace(exact_sampler(decay("1", 4)), 0.25, 21).rejects());
  if (kFullPower) CHECK(against_laplace(exact_sampler(decay("1", 4)), 1, 21).rejects());
}

TEST_CASE("mutant: a halved scale is rejected (chi-square, 1e-6)") {
  if (kFullPower) CHECK(against_laplace(exact_sampler(decay("1")), 0.5, 22).rejects());
  if (kFullPower) CHECK(against_laplace(table_sampler(decay("1")), 0.5, 23).rejects());
}

TEST_CASE("the table's law does not depend on how many bits it holds (chi-square, 1e-6)") {
  // With 8 bits nearly every draw is in doubt about a threshold or lies beyond the table.
  for (const unsigned prefix_bits : {8U, 9U, 12U, 63U}) {
    CAPTURE(prefix_bits);
    CHECK_FALSE(
        against_laplace(table_sampler(decay("0.7"), prefix_bits), 0.7, prefix_bits, draws(300'000))
            .rejects());
  }
  // A table that ends early for its length.
  CHECK_FALSE(
      against_laplace(table_sampler(decay("0.0001")), 0.0001, 24, draws(200'000)).rejects());
}

TEST_CASE("extreme epsilons do not break the samplers") {
  SeededBits bits(31);
  const LaplaceTable sharp(decay_of(Epsilon::from_units(Epsilon::kMostUnits), kOne));
  const LaplaceTable flat(decay_of(Epsilon::from_units(1), L1Sensitivity(L1Sensitivity::kMost)));
  Int128 largest = 0;
  for (int i = 0; i < 1000; ++i) {
    CHECK(sharp.sample(bits) == 0);
    largest = std::max(largest, flat.sample(bits));
  }
  CHECK(largest > Int128{1} << 60);  // scale 2^32 * 10^9 is about 2^62
}
