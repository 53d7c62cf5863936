// Exact probabilities, by fractions: of the code, run on every sequence of bits, and of the laws
// that the proofs speak of, on every tiny input.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "privpfc/privacy/bernoulli_exp.h"
#include "privpfc/privacy/exp_bounds.h"
#include "privpfc/privacy/laplace_table.h"
#include "privpfc/privacy/noisy_counts.h"
#include "privpfc/privacy/selection.h"
#include "support/effort.h"
#include "support/enumerating_bits.h"
#include "support/rational_exp.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

// How many bits a run may read. PRIVPFC_THOROUGH=1 goes deeper and leaves less unresolved.
unsigned depth() {
  return thorough() ? 25 : (kFullPower ? 20 : 10);
}

// P[Z = z] for alpha = exp(-x).
Between laplace_law(const cpp_rational& x, int z) {
  const Between alpha = exp_minus(x);
  const Between power = exp_minus(x * std::abs(z));
  return {(1 - alpha.hi) / (1 + alpha.hi) * power.lo, (1 - alpha.lo) / (1 + alpha.lo) * power.hi};
}

template <typename Output>
bool agrees(const Enumeration<Output>& code, const Output& output, const Between& law) {
  return code.least(output) <= law.hi && law.lo <= code.most(output);
}

using Scores = std::vector<std::int64_t>;
using Probabilities = std::vector<Between>;

// w_r / sum of w: rising in w_r, falling in the others. Lower is better.
Probabilities exponential_law(const Scores& scores, const cpp_rational& per_unit) {
  const std::int64_t best = *std::min_element(scores.begin(), scores.end());
  std::vector<Between> w;
  for (const std::int64_t s : scores) w.push_back(exp_minus(per_unit * (s - best)));
  Probabilities p;
  for (std::size_t r = 0; r < w.size(); ++r) {
    Between others{0, 0};
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (j != r) others = {others.lo + w[j].lo, others.hi + w[j].hi};
    }
    p.push_back({w[r].lo / (w[r].lo + others.hi), w[r].hi / (w[r].hi + others.lo)});
  }
  return p;
}

// w_r times the integral over t in [0, 1] of the product of (1 - t w_j): t is the moment at which r
// comes up in the random order. Rising in w_r, falling in the others.
Probabilities permute_and_flip_law(const Scores& scores, const cpp_rational& per_unit) {
  const std::int64_t best = *std::min_element(scores.begin(), scores.end());
  std::vector<Between> w;
  for (const std::int64_t s : scores) w.push_back(exp_minus(per_unit * (s - best)));
  const auto integral = [&](std::size_t r, bool low) {
    std::vector<cpp_rational> polynomial{1};
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (j == r) continue;
      const cpp_rational& weight = low ? w[j].hi : w[j].lo;
      polynomial.push_back(0);
      for (std::size_t k = polynomial.size() - 1; k > 0; --k) {
        polynomial[k] -= weight * polynomial[k - 1];
      }
    }
    cpp_rational sum = 0;
    for (std::size_t k = 0; k < polynomial.size(); ++k) {
      sum += polynomial[k] / static_cast<int>(k + 1);
    }
    return sum;
  };
  Probabilities p;
  for (std::size_t r = 0; r < w.size(); ++r) {
    p.push_back({w[r].lo * integral(r, true), w[r].hi * integral(r, false)});
  }
  return p;
}

// Over all scores in {0, ..., 3}^3 and all changes in {-1, 0, 1}^3 (range 2): whether some
// outcome's probability certainly changes by more than exp(epsilon).
bool breaks_the_promise(Probabilities (*law)(const Scores&, const cpp_rational&),
                        const cpp_rational& epsilon, const cpp_rational& per_unit) {
  std::map<Scores, Probabilities> known;
  const auto of = [&](const Scores& scores) -> const Probabilities& {
    auto& p = known[scores];
    if (p.empty()) p = law(scores, per_unit);
    return p;
  };
  const Between bound = exp_plus(epsilon);
  for (int code = 0; code < 64; ++code) {
    const Scores before{code % 4, code / 4 % 4, code / 16};
    for (int change = 0; change < 27; ++change) {
      const Scores after{before[0] + change % 3 - 1, before[1] + change / 3 % 3 - 1,
                         before[2] + change / 9 - 1};
      for (std::size_t r = 0; r < 3; ++r) {
        if (of(before)[r].lo > bound.hi * of(after)[r].hi) return true;
        if (of(after)[r].lo > bound.hi * of(before)[r].hi) return true;
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("the kernel's bounds on exp(-n/d) hold the true value, at every precision") {
  for (const auto& fraction : {std::pair{0U, 1U},
                               {1U, 100U},
                               {1U, 1U},
                               {3U, 1U},
                               {22U, 7U},
                               {100U, 1U},
                               {1U, 1'000'000'000U}}) {
    const auto n = fraction.first;
    const auto d = fraction.second;
    const Between truth = exp_minus(cpp_rational(n, d));
    for (const unsigned precision : {8U, 63U, 128U, 200U}) {
      const FixedBounds bounds = exp_bounds(n, d, precision);
      const cpp_int one = cpp_int(1) << precision;
      CAPTURE(n);
      CAPTURE(d);
      CHECK(cpp_rational(bounds.lo, one) <= truth.hi);
      CHECK(cpp_rational(bounds.hi, one) >= truth.lo);
      CHECK(bounds.hi - bounds.lo <= 2);
    }
  }
}

TEST_CASE("bernoulli_exp, run on every sequence of bits, has probability exp(-n/d)") {
  for (const auto& fraction : {std::pair{1U, 1U}, {1U, 2U}, {1U, 3U}, {3U, 2U}, {4U, 1U}}) {
    const auto n = fraction.first;
    const auto d = fraction.second;
    const auto code =
        EnumeratingBits(depth()).run([&](BitSource& bits) { return bernoulli_exp(bits, n, d); });
    CAPTURE(n);
    CAPTURE(d);
    if (kFullPower) CHECK(code.unresolved < cpp_rational(1, 50));
    CHECK(agrees(code, true, exp_minus(cpp_rational(n, d))));
    if (kFullPower) CHECK_FALSE(agrees(code, true, exp_minus(cpp_rational(n, 2 * d))));
  }
}

TEST_CASE("both Laplace samplers, run on every sequence of bits, have their law") {
  for (const auto& example :
       {std::pair{"1", cpp_rational(1)}, {"0.5", cpp_rational(1, 2)}, {"2", cpp_rational(2)}}) {
    const auto& [text, x] = example;
    const Decay decay = decay_of(eps(text), L1Sensitivity(1));
    const auto exact = EnumeratingBits(depth()).run(
        [&](BitSource& bits) { return static_cast<int>(sample_discrete_laplace(bits, decay)); });
    // An 8-bit table; what is in doubt would need 64 more bits and stays unresolved.
    const auto table =
        EnumeratingBits(depth()).run([&, small = LaplaceTable(decay, 8)](BitSource& bits) {
          return static_cast<int>(small.sample(bits));
        });
    CAPTURE(example.first);
    if (kFullPower) CHECK(exact.unresolved < cpp_rational(1, 8));
    if (kFullPower) CHECK(table.unresolved < cpp_rational(1, 8));
    for (int z = -4; z <= 4; ++z) {
      CAPTURE(z);
      CHECK(agrees(exact, z, laplace_law(x, z)));
      CHECK(agrees(table, z, laplace_law(x, z)));
    }
    if (kFullPower) CHECK_FALSE(agrees(exact, 0, laplace_law(2 * x, 0)));
    if (kFullPower) CHECK_FALSE(agrees(table, 0, laplace_law(2 * x, 0)));
  }
}

TEST_CASE("noisy counts of neighbours differ by exp(epsilon) at most; mutant: a halved scale") {
  const auto answers = [](Epsilon epsilon, std::int64_t count) {
    return EnumeratingBits(depth()).run([&](BitSource& bits) {
      return add_noise(bits, std::array{count}, L1Sensitivity(1), epsilon)[0];
    });
  };
  const auto breaks = [&](Epsilon used) {
    const Between bound = exp_plus(1);
    const auto before = answers(used, 0);
    const auto after = answers(used, 1);
    bool broken = false;
    for (std::int64_t output = -4; output <= 5; ++output) {
      broken = broken || before.least(output) > bound.hi * after.most(output) ||
               after.least(output) > bound.hi * before.most(output);
    }
    return broken;
  };
  CHECK_FALSE(breaks(eps("1")));
  if (kFullPower) CHECK(breaks(eps("2")));
}

TEST_CASE("both selection rules, run on every sequence of bits, have their law") {
  const Sharpness sharpness{eps("1"), ScoreRange(2)};
  for (const Scores& scores : {Scores{0, 0}, Scores{0, 1}, Scores{2, 0}, Scores{1, 0, 3}}) {
    const Probabilities em = exponential_law(scores, cpp_rational(1, 2));
    const Probabilities pf = permute_and_flip_law(scores, cpp_rational(1, 2));
    const Probabilities wrong = permute_and_flip_law(scores, cpp_rational(1, 4));
    const auto em_code = EnumeratingBits(depth()).run([&](BitSource& bits) {
      return exponential_choice(bits, scores, Better::kLower, sharpness);
    });
    const auto pf_code = EnumeratingBits(depth()).run(
        [&](BitSource& bits) { return permute_and_flip(bits, scores, Better::kLower, sharpness); });
    if (kFullPower) CHECK(pf_code.unresolved < cpp_rational(1, 20));
    for (std::size_t r = 0; r < scores.size(); ++r) {
      CHECK(agrees(em_code, r, em[r]));
      CHECK(agrees(pf_code, r, pf[r]));
    }
    if (scores[0] != scores[1] && kFullPower)
      CHECK_FALSE(agrees(pf_code, std::size_t{1}, wrong[1]));
  }
}

TEST_CASE("selection keeps exp(epsilon) on all tiny inputs; mutant: a missing factor 2") {
  for (const cpp_rational& epsilon : {cpp_rational(1, 10), cpp_rational(1), cpp_rational(3)}) {
    if (!kFullPower && epsilon != 1) continue;
    // The range is 2: exponent epsilon/2 per unit of score. The mutant takes the largest change, 1.
    CHECK_FALSE(breaks_the_promise(exponential_law, epsilon, epsilon / 2));
    CHECK_FALSE(breaks_the_promise(permute_and_flip_law, epsilon, epsilon / 2));
    CHECK(breaks_the_promise(exponential_law, epsilon, epsilon));
    CHECK(breaks_the_promise(permute_and_flip_law, epsilon, epsilon));
  }
}
