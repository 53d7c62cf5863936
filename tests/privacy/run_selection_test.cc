#include "privpfc/privacy/run_selection.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "privpfc/privacy/kernel.h"
#include "support/chi_square.h"
#include "support/effort.h"
#include "support/enumerating_bits.h"
#include "support/rational_exp.h"
#include "support/seeded_bits.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

constexpr double kSignificance = 1e-6;
using Runs = std::vector<ScoreRun>;

std::size_t run_of(const Runs& runs, std::uint64_t candidate) {
  std::size_t run = 0;
  while (candidate >= runs[run].length) candidate -= runs[run++].length;
  return run;
}

struct Setting {
  Runs runs;
  const char* epsilon;
  std::uint64_t range;
};

// Gaps inside one unit of the exponent, across many, and lists that lean on their far end.
const std::vector<Setting> kSettings{
    {{{0, 1}, {1, 1}, {2, 1}, {4, 1}, {8, 1}}, "1", 2},
    {{{3, 40}, {0, 1}, {5, 0}, {3, 2}, {20, 5'000}}, "0.5", 1},
    {{{0, 1}, {30, 400'000'000'000}, {29, 400'000'000'000}}, "1", 1},
    {{{45, 1}, {90, 1'000'000'000}, {100'000, 5}, {47, 3}}, "1", 1},
    {{{0, 3}, {7, 100}, {13, 77'777}}, "0.999999999", 3},
};

ChiSquare test_law(const Setting& setting, Better better, double factor, std::uint64_t seed,
                   unsigned scale_bits) {
  Runs runs = setting.runs;
  if (better == Better::kHigher) {
    for (ScoreRun& run : runs) run.score = 11 - run.score;
  }
  const Sharpness sharpness{eps(setting.epsilon), ScoreRange(setting.range)};
  const ExpCeilings ceilings(scale_bits);
  SeededBits bits(seed);
  std::vector<std::uint64_t> seen(runs.size());
  for (std::size_t i = 0; i < draws(scale_bits < 60 ? 40'000 : 1'000'000); ++i) {
    ++seen[run_of(runs, exponential_choice(bits, runs, better, sharpness, ceilings))];
  }
  const double per_unit = static_cast<double>(sharpness.epsilon.units()) / 1e9 /
                          static_cast<double>(setting.range) * factor;
  std::int64_t best = INT64_MAX;
  for (const ScoreRun& run : setting.runs) best = std::min(best, run.score);
  std::vector<double> law;
  for (const ScoreRun& run : setting.runs) {
    law.push_back(static_cast<double>(run.length) *
                  std::exp(-per_unit * static_cast<double>(run.score - best)));
  }
  const double sum = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& p : law) p /= sum;
  return chi_square(seen, law, kSignificance);
}

}  // namespace

TEST_CASE("the exponential mechanism on runs has its law (chi-square, 1e-6)") {
  for (std::size_t s = 0; s < kSettings.size(); ++s) {
    CAPTURE(s);
    CHECK_FALSE(test_law(kSettings[s], Better::kLower, 1, 1, 60).rejects());
    CHECK_FALSE(test_law(kSettings[s], Better::kHigher, 1, 2, 60).rejects());
  }
}

TEST_CASE("coarse ceilings lean on the coin that makes good for them (chi-square, 1e-6)") {
  CHECK_FALSE(test_law(kSettings[0], Better::kLower, 1, 3, 2).rejects());
  CHECK_FALSE(test_law(kSettings[0], Better::kHigher, 1, 3, 5).rejects());
}

TEST_CASE("mutants: a factor 2 or 2 % in the exponent is rejected (1e-6)") {
  if (!kFullPower) return;
  for (const std::size_t s : {0U, 1U, 4U}) {
    CHECK(test_law(kSettings[s], Better::kLower, 2, 4, 60).rejects());
    CHECK(test_law(kSettings[s], Better::kLower, 0.5, 5, 60).rejects());
    CHECK(test_law(kSettings[s], Better::kLower, 1.02, 6, 60).rejects());
  }
}

TEST_CASE("the candidates of a run are equally likely (chi-square, 1e-6)") {
  const Runs runs{{5, 10}, {4, 20}, {9, 70}};
  SeededBits bits(7);
  const ExpCeilings ceilings;
  const Sharpness weak{eps("0.01"), ScoreRange(1)};
  std::vector<std::uint64_t> seen(100);
  std::vector<double> law;
  for (std::uint64_t i = 0; i < 100; ++i) {
    law.push_back(std::exp(-0.01 * static_cast<double>(runs[run_of(runs, i)].score)));
  }
  const double sum = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& p : law) p /= sum;
  for (std::size_t i = 0; i < draws(400'000); ++i) {
    ++seen[exponential_choice(bits, runs, Better::kLower, weak, ceilings)];
  }
  CHECK_FALSE(chi_square(seen, law, kSignificance).rejects());
}

TEST_CASE("run on every sequence of bits, it has the exponential mechanism's law") {
  using boost::multiprecision::cpp_rational;
  const Runs runs{{1, 2}, {0, 1}, {2, 1}};
  const ExpCeilings coarse(3);
  const auto code = EnumeratingBits(thorough() ? 22 : 17).run([&](BitSource& bits) {
    return static_cast<int>(
        exponential_choice(bits, runs, Better::kLower, {eps("1"), ScoreRange(2)}, coarse));
  });
  const auto law = [&](const cpp_rational& per_unit, std::int64_t score) {
    cpp_rational sum_lo = 0;
    cpp_rational sum_hi = 0;
    for (const ScoreRun& run : runs) {
      const Between w = exp_minus(per_unit * run.score);
      sum_lo += w.lo * run.length;
      sum_hi += w.hi * run.length;
    }
    const Between w = exp_minus(per_unit * score);
    return Between{w.lo / sum_hi, w.hi / sum_lo};
  };
  const std::vector<std::int64_t> scores{1, 1, 0, 2};
  CHECK(code.unresolved < cpp_rational(2, 5));  // where the coarse ceilings need 64 bits more
  bool wrong_law_fits = true;
  for (int i = 0; i < 4; ++i) {
    const Between p = law(cpp_rational(1, 2), scores[static_cast<std::size_t>(i)]);
    CHECK(code.least(i) <= p.hi);
    CHECK(code.most(i) >= p.lo);
    const Between wrong = law(4, scores[static_cast<std::size_t>(i)]);
    wrong_law_fits = wrong_law_fits && code.least(i) <= wrong.hi && code.most(i) >= wrong.lo;
  }
  CHECK_FALSE(wrong_law_fits);
}

TEST_CASE("scores at both ends of int64 and the sharpest epsilon leave one choice") {
  const Runs ends{{INT64_MAX, 7}, {INT64_MIN, 1}, {INT64_MAX, 1ULL << 39}};
  const Sharpness sharpest{Epsilon::from_units(Epsilon::kMostUnits), ScoreRange(1)};
  SeededBits bits(8);
  const ExpCeilings ceilings;
  for (int i = 0; i < 100; ++i) {
    CHECK(exponential_choice(bits, ends, Better::kLower, sharpest, ceilings) == 7);
    CHECK(exponential_choice(bits, ends, Better::kHigher, sharpest, ceilings) != 7);
  }
}

TEST_CASE("selection in parts: each part has its own law and knows nothing of the others (1e-6)") {
  SeededBits bits(9);
  Kernel kernel(bits);
  for (const Rule rule : {Rule::kExponential, Rule::kPermuteAndFlip}) {
    const Private<PartScores> scores(PartScores{{{0, 1}, {1, 1}}, {{3, 2}}});
    std::vector<std::uint64_t> seen(4);
    for (std::size_t i = 0; i < draws(100'000); ++i) {
      const auto answers = kernel
                               .select_in_parts(scores, 2, 2, Better::kLower, ScoreRange(1), rule,
                                                TestBudget::of("1"))
                               .value();
      ++seen[answers[0] * 2 + answers[1]];
    }
    const double w = std::exp(-1.0);
    const double second = rule == Rule::kExponential ? w / (1 + w) : w / 2;
    CHECK_FALSE(chi_square(seen, {(1 - second) / 2, (1 - second) / 2, second / 2, second / 2},
                           kSignificance)
                    .rejects());
  }
}

TEST_CASE("a part or a candidate that is left out stops the program") {
  SeededBits bits(10);
  Kernel kernel(bits);
  const auto ask = [&](PartScores scores, std::size_t parts, std::uint64_t candidates, Rule rule) {
    kernel.select_in_parts(Private<PartScores>(std::move(scores)), parts, candidates,
                           Better::kLower, ScoreRange(1), rule, TestBudget::of("1"));
  };
  CHECK_FALSE(stops_the_program([&] { ask({{{0, 2}}}, 1, 2, Rule::kExponential); }));
  CHECK(stops_the_program([&] { ask({{{0, 2}}}, 2, 2, Rule::kExponential); }));
  CHECK(stops_the_program([&] { ask({{{0, 1}}}, 1, 2, Rule::kExponential); }));
  CHECK(stops_the_program([&] { ask({{{0, UINT64_MAX}, {0, 3}}}, 1, 2, Rule::kExponential); }));
  CHECK(stops_the_program([&] { ask({{}}, 1, 0, Rule::kExponential); }));
  CHECK(stops_the_program([&] { ask({{{0, 1ULL << 21}}}, 1, 1ULL << 21, Rule::kPermuteAndFlip); }));
}
