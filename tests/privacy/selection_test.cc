#include "privpfc/privacy/selection.h"

#include <doctest/doctest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "support/chi_square.h"
#include "support/effort.h"
#include "support/seeded_bits.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

constexpr double kSignificance = 1e-6;
using Scores = std::vector<std::int64_t>;

// `count` candidates share the gap to the best; group by group, what the laws say.
struct Group {
  std::int64_t gap;
  std::size_t count;
};

double weight(const Group& group, double per_unit) {
  return std::exp(-per_unit * static_cast<double>(group.gap));
}

std::vector<double> exponential_law(const std::vector<Group>& groups, double per_unit) {
  std::vector<double> p;
  for (const Group& g : groups) p.push_back(static_cast<double>(g.count) * weight(g, per_unit));
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x /= sum;
  return p;
}

std::vector<double> permute_and_flip_law(const std::vector<Group>& groups, double per_unit) {
  std::vector<double> p;
  for (const Group& g : groups) {
    const double w = weight(g, per_unit);
    const auto density = [&](double t) {
      double log_product = -std::log1p(-t * w);  // without one of this group
      for (const Group& other : groups) {
        log_product += static_cast<double>(other.count) * std::log1p(-t * weight(other, per_unit));
      }
      return std::exp(log_product);
    };
    const double integral =
        boost::math::quadrature::gauss_kronrod<double, 61>::integrate(density, 0.0, 1.0, 20, 1e-12);
    p.push_back(static_cast<double>(g.count) * w * integral);
  }
  return p;
}

using Choice = std::size_t (*)(BitSource&, std::span<const std::int64_t>, Better, Sharpness);
using Law = std::vector<double> (*)(const std::vector<Group>&, double);

struct Setting {
  std::vector<Group> groups;
  const char* epsilon;
  std::uint64_t range;
  std::size_t draws;
};

ChiSquare test_choice(Choice choose, Law law, const Setting& setting, Better better,
                      double exponent_factor, std::uint64_t seed) {
  // Groups interleaved, so that a position says nothing about a score.
  Scores scores;
  std::vector<std::size_t> group_of;
  for (std::size_t k = 0; group_of.size() < scores.max_size(); ++k) {
    bool any = false;
    for (std::size_t g = 0; g < setting.groups.size(); ++g) {
      if (k >= setting.groups[g].count) continue;
      any = true;
      scores.push_back(better == Better::kLower ? setting.groups[g].gap - 7
                                                : -setting.groups[g].gap - 7);
      group_of.push_back(g);
    }
    if (!any) break;
  }
  const Sharpness sharpness{eps(setting.epsilon), ScoreRange(setting.range)};
  std::vector<std::uint64_t> counts(setting.groups.size());
  SeededBits bits(seed);
  for (std::size_t i = 0; i < draws(setting.draws); ++i) {
    ++counts[group_of[choose(bits, scores, better, sharpness)]];
  }
  const double per_unit = static_cast<double>(sharpness.epsilon.units()) / 1e9 /
                          static_cast<double>(setting.range) * exponent_factor;
  return chi_square(counts, law(setting.groups, per_unit), kSignificance);
}

const std::vector<Setting> kSettings{
    {{{0, 1}, {1, 1}, {2, 1}, {4, 1}, {8, 1}}, "1", 2, 1'000'000},  // few
    {{{0, 3}, {3, 4}, {5, 2}}, "0.5", 1, 1'000'000},                // ties
    {{{0, 1}, {1, 1}, {2, 1}, {1000, 50}}, "1", 2, 1'000'000},      // gaps of 1000
    {{{0, 10}, {9, 2'990}, {12, 7'000}},
     "1",
     2,
     thorough() ? 200'000U : 20'000U},  // 10^4 candidates
};

}  // namespace

TEST_CASE("the exponential mechanism has its law (chi-square, 1e-6)") {
  for (const Better better : {Better::kLower, Better::kHigher}) {
    for (const Setting& s : kSettings) {
      CHECK_FALSE(test_choice(exponential_choice, exponential_law, s, better, 1, 3).rejects());
    }
  }
}

TEST_CASE("permute-and-flip has its law (chi-square, 1e-6)") {
  for (const Better better : {Better::kLower, Better::kHigher}) {
    for (const Setting& s : kSettings) {
      CHECK_FALSE(test_choice(permute_and_flip, permute_and_flip_law, s, better, 1, 4).rejects());
    }
  }
}

TEST_CASE("mutants: a missing or surplus factor 2, and 2 %, in the exponent are rejected (1e-6)") {
  if (!kFullPower) return;
  for (Setting s : kSettings) {
    s.draws /= 10;  // enough for a factor of 2
    for (const double factor : {0.5, 2.0}) {
      CHECK(
          test_choice(exponential_choice, exponential_law, s, Better::kLower, factor, 5).rejects());
      CHECK(test_choice(permute_and_flip, permute_and_flip_law, s, Better::kLower, factor, 6)
                .rejects());
    }
  }
  for (const Setting& s : kSettings) {
    if (s.draws < 200'000) continue;  // 10^4 candidates take their time
    CHECK(test_choice(exponential_choice, exponential_law, s, Better::kLower, 1.02, 7).rejects());
    CHECK(
        test_choice(permute_and_flip, permute_and_flip_law, s, Better::kLower, 1.02, 8).rejects());
  }
}

TEST_CASE("mutant: exchanging the two rules is rejected (1e-6)") {
  if (!kFullPower) return;
  CHECK(test_choice(exponential_choice, permute_and_flip_law, kSettings[0], Better::kLower, 1, 9)
            .rejects());
}

TEST_CASE("a single candidate is chosen, whatever its score") {
  SeededBits bits(1);
  for (const std::int64_t score : {INT64_MIN, std::int64_t{0}, INT64_MAX}) {
    const Scores one{score};
    const Sharpness s{eps("0.1"), ScoreRange(1)};
    CHECK(exponential_choice(bits, one, Better::kLower, s) == 0);
    CHECK(permute_and_flip(bits, one, Better::kHigher, s) == 0);
  }
}

TEST_CASE("scores at both ends of int64 neither overflow nor underflow") {
  const Scores ends{INT64_MAX, INT64_MIN, INT64_MAX, 0, -1};
  const Sharpness sharpest{Epsilon::from_units(Epsilon::kMostUnits), ScoreRange(1)};
  SeededBits bits(2);
  for (int i = 0; i < 200; ++i) {
    CHECK(exponential_choice(bits, ends, Better::kLower, sharpest) == 1);
    CHECK(permute_and_flip(bits, ends, Better::kLower, sharpest) == 1);
    CHECK(exponential_choice(bits, ends, Better::kHigher, sharpest) % 2 == 0);
    CHECK(permute_and_flip(bits, ends, Better::kHigher, sharpest) % 2 == 0);
  }
  // The whole of int64 is about one range wide: a real choice between the ends, by exp(-1).
  const Scores two{INT64_MIN, INT64_MAX};
  std::vector<std::uint64_t> counts(2);
  for (int i = 0; i < 100'000; ++i) {
    ++counts[exponential_choice(bits, two, Better::kLower, {eps("1"), ScoreRange(UINT64_MAX)})];
  }
  const double worse = 1 / (1 + std::exp(1.0));
  CHECK_FALSE(chi_square(counts, {1 - worse, worse}, kSignificance).rejects());
}

TEST_CASE("ten million candidates, one far ahead: both rules find it") {
  Scores scores(10'000'000, INT64_MAX);
  scores[6'543'210] = INT64_MIN;
  SeededBits bits(3);
  const Sharpness s{eps("1"), ScoreRange(1'235'000)};
  CHECK(permute_and_flip(bits, scores, Better::kLower, s) == 6'543'210);
  CHECK(exponential_choice(bits, scores, Better::kLower, s) == 6'543'210);
}

TEST_CASE("an empty list or no epsilon stops the program") {
  SeededBits bits(4);
  const Sharpness s{eps("1"), ScoreRange(1)};
  CHECK(stops_the_program([&] { exponential_choice(bits, {}, Better::kLower, s); }));
  CHECK(stops_the_program([&] { permute_and_flip(bits, {}, Better::kLower, s); }));
  CHECK(stops_the_program([&] {
    permute_and_flip(bits, Scores{1}, Better::kLower, {Epsilon(), ScoreRange(1)});
  }));
  CHECK(stops_the_program([] { ScoreRange(0); }));
  CHECK(stops_the_program([] { L1Sensitivity(0); }));
}
