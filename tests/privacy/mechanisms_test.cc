#include "privpfc/privacy/mechanisms.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/noisy_counts.h"
#include "support/chi_square.h"
#include "support/effort.h"
#include "support/recording_mechanisms.h"
#include "support/seeded_bits.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

constexpr double kSignificance = 1e-6;
using Counts = std::vector<std::int64_t>;
using AddNoise = Counts (*)(BitSource&, std::span<const std::int64_t>, L1Sensitivity, Epsilon);

ChiSquare fits(const Counts& values, const std::vector<double>& law) {
  const auto middle = static_cast<std::int64_t>(law.size() / 2);
  std::vector<std::uint64_t> seen(law.size());
  for (const std::int64_t value : values) {
    ++seen[static_cast<std::size_t>(std::clamp(value + middle, std::int64_t{0}, 2 * middle))];
  }
  return chi_square(seen, law, kSignificance);
}

// What noise with epsilon 1 and sensitivity 1 on a histogram must look like: the right law on the
// empty cells and on the others, and neighbouring cells that know nothing of each other.
struct NoiseCheck {
  bool empty_cells_right;
  bool other_cells_right;
  bool cells_independent;
};

NoiseCheck check_noise(AddNoise add, std::size_t cells, int rounds) {
  const double alpha = std::exp(-1.0);
  const double factor = (1 - alpha) / (1 + alpha);
  std::vector<double> law;
  std::vector<double> law_of_difference;
  for (int z = -40; z <= 40; ++z) {
    const double power = std::pow(alpha, std::abs(z));
    law.push_back(factor * power);
    law_of_difference.push_back(factor * factor * power *
                                (std::abs(z) + (1 + alpha * alpha) / (1 - alpha * alpha)));
  }
  Counts truth(cells);
  for (std::size_t i = 0; i < cells; ++i) truth[i] = i % 4 < 2 ? 0 : 1000;
  SeededBits bits(cells);
  Counts on_empty;
  Counts on_others;
  Counts differences;
  for (int round = 0; round < rounds; ++round) {
    const Counts noisy = add(bits, truth, L1Sensitivity(1), eps("1"));
    REQUIRE(noisy.size() == cells);
    for (std::size_t i = 0; i + 1 < cells; i += 2) {
      auto& side = truth[i] == 0 ? on_empty : on_others;
      side.push_back(noisy[i] - truth[i]);
      side.push_back(noisy[i + 1] - truth[i + 1]);
      differences.push_back(noisy[i] - noisy[i + 1]);
    }
  }
  return {!fits(on_empty, law).rejects(), !fits(on_others, law).rejects(),
          !fits(differences, law_of_difference).rejects()};
}

// A small world to run the mechanisms in: counts by class, and three scores made from them.
struct Answers {
  Counts histogram;
  std::vector<std::size_t> winners;
};

Answers publish(Mechanisms& mechanisms, const Private<Counts>& counts, Budget budget) {
  auto parts = std::move(budget).split(std::vector<std::uint64_t>{3, 97});
  auto histogram = mechanisms.noisy_counts(counts, 3, L1Sensitivity(1), std::move(parts[0]));
  const auto scores = transform([](const Counts& c) { return Counts{c[0], c[1], c[2]}; }, counts);
  auto winners = mechanisms.select_top(scores, 3, 2, Better::kHigher, ScoreRange(1),
                                       Rule::kPermuteAndFlip, std::move(parts[1]));
  return {std::move(histogram).value(), std::move(winners).value()};
}

}  // namespace

TEST_CASE("noise of its own on every cell, empty ones too (chi-square, 1e-6)") {
  // Few cells are noised by one sampler, many by the table.
  for (const auto& [cells, rounds] : {std::pair<std::size_t, int>{100, 5'000}, {500'000, 1}}) {
    const NoiseCheck check = check_noise(add_noise, cells, rounds);
    CHECK(check.empty_cells_right);
    CHECK(check.other_cells_right);
    CHECK(check.cells_independent);
  }
}

TEST_CASE("mutant: noise only on non-empty cells is caught (1e-6)") {
  const NoiseCheck check = check_noise(
      [](BitSource& bits, std::span<const std::int64_t> counts, L1Sensitivity s, Epsilon e) {
        Counts noisy = add_noise(bits, counts, s, e);
        for (std::size_t i = 0; i < noisy.size(); ++i) {
          if (counts[i] == 0) noisy[i] = 0;
        }
        return noisy;
      },
      500'000, 1);
  CHECK_FALSE(check.empty_cells_right);
}

TEST_CASE("mutant: one noise value reused is caught (1e-6)") {
  const NoiseCheck check = check_noise(
      [](BitSource& bits, std::span<const std::int64_t> counts, L1Sensitivity s, Epsilon e) {
        Counts noisy = add_noise(bits, counts, s, e);
        for (std::size_t i = 1; i < noisy.size(); i += 2) {
          noisy[i] = counts[i] + noisy[i - 1] - counts[i - 1];
        }
        return noisy;
      },
      500'000, 1);
  CHECK(check.empty_cells_right);  // cell by cell nothing is to be seen
  CHECK_FALSE(check.cells_independent);
}

TEST_CASE("mutant: a halved scale on a histogram is caught (1e-6)") {
  const NoiseCheck check =
      check_noise([](BitSource& bits, std::span<const std::int64_t> counts, L1Sensitivity s,
                     Epsilon e) { return add_noise(bits, counts, s, e + e); },
                  500'000, 1);
  CHECK_FALSE(check.empty_cells_right);
  CHECK_FALSE(check.other_cells_right);
}

TEST_CASE("counts at the ends of int64 are moved to the end, not wrapped") {
  SeededBits bits(1);
  const Counts ends{INT64_MAX, INT64_MIN};
  for (int i = 0; i < 1000; ++i) {
    const Counts noisy = add_noise(bits, ends, L1Sensitivity(1), eps("0.001"));
    CHECK(noisy[0] > INT64_MAX / 2);
    CHECK(noisy[1] < INT64_MIN / 2);
  }
}

TEST_CASE("a histogram without its empty cells stops the program") {
  const Private<Counts> counts(Counts{5, 7});
  CHECK(stops_the_program([&] {
    SeededBits bits(1);
    Kernel(bits).noisy_counts(counts, 3, L1Sensitivity(1), TestBudget::of("1"));
  }));
  CHECK(stops_the_program([&] {
    SeededBits bits(1);
    Kernel(bits).select(counts, 3, Better::kLower, ScoreRange(1), Rule::kExponential,
                        TestBudget::of("1"));
  }));
  CHECK(stops_the_program([&] {
    SeededBits bits(1);
    Kernel(bits).select_top(counts, 2, 3, Better::kLower, ScoreRange(1), Rule::kExponential,
                            TestBudget::of("1"));
  }));
}

TEST_CASE("a spent budget buys nothing") {
  CHECK(stops_the_program([] {
    SeededBits bits(1);
    Kernel kernel(bits);
    Budget budget = TestBudget::of("1");
    const Private<Counts> counts(Counts{1});
    kernel.noisy_counts(counts, 1, L1Sensitivity(1), std::move(budget));
    kernel.noisy_counts(counts, 1, L1Sensitivity(1), std::move(budget));  // NOLINT
  }));
}

TEST_CASE("top-k peels: the pair of winners has its law (chi-square, 1e-6)") {
  SeededBits bits(5);
  Kernel kernel(bits);
  const Counts scores{0, 1, 3, 3};
  std::vector<std::uint64_t> seen(16);
  for (int i = 0; i < static_cast<int>(draws(300'000)); ++i) {
    const auto winners = kernel.select_top(Private<Counts>(scores), 4, 2, Better::kLower,
                                           ScoreRange(2), Rule::kExponential, TestBudget::of("3"));
    REQUIRE(winners.value().size() == 2);
    ++seen[winners.value()[0] * 4 + winners.value()[1]];
  }
  // Half of epsilon 3 for each pick, range 2.
  const auto law = [&](double per_unit) {
    std::vector<double> weights;
    for (const std::int64_t score : scores) {
      weights.push_back(std::exp(-per_unit * static_cast<double>(score)));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> pairs(16, 0.0);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        if (a != b) pairs[a * 4 + b] = weights[a] / sum * weights[b] / (sum - weights[a]);
      }
    }
    return pairs;
  };
  CHECK(seen[0] + seen[5] + seen[10] + seen[15] == 0);
  CHECK_FALSE(chi_square(seen, law(3.0 / 2 / 2), kSignificance).rejects());
  CHECK(chi_square(seen, law(3.0 / 2), kSignificance).rejects());
}

TEST_CASE("the calls of a run cost exactly what was withdrawn; mutant: full epsilon per step") {
  SeededBits bits(6);
  const Private<Counts> counts(Counts{3, 4, 5});
  RecordingMechanisms recorder(bits);
  publish(recorder, counts, TestBudget::of("0.1"));
  CHECK(recorder.spent() == eps("0.1"));
  REQUIRE(recorder.calls().size() == 3);
  CHECK(recorder.calls()[0].epsilon == eps("0.003"));
  CHECK(recorder.calls()[1].epsilon == eps("0.0485"));

  // The mutant: two picks, each with a budget for both.
  RecordingMechanisms mutant(bits);
  for (int pick = 0; pick < 2; ++pick) {
    mutant.select(counts, 3, Better::kHigher, ScoreRange(1), Rule::kExponential,
                  TestBudget::of("0.1"));
  }
  CHECK(mutant.spent() != eps("0.1"));
}

TEST_CASE("a replay asks the same of the mechanisms on a neighbouring table") {
  SeededBits bits(7);
  RecordingMechanisms first(bits);
  const Answers there = publish(first, Private<Counts>(Counts{3, 4, 5}), TestBudget::of("1"));
  RecordingMechanisms again(first.calls());
  const Answers here = publish(again, Private<Counts>(Counts{3, 5, 5}), TestBudget::of("1"));
  CHECK(here.histogram == there.histogram);
  CHECK(here.winners == there.winners);
  REQUIRE(again.calls().size() == first.calls().size());
  for (std::size_t i = 0; i < again.calls().size(); ++i) {
    const RecordedCall& a = first.calls()[i];
    const RecordedCall& b = again.calls()[i];
    CHECK(a.epsilon == b.epsilon);
    CHECK(a.sensitivity == b.sensitivity);
    std::uint64_t distance = 0;
    for (std::size_t k = 0; k < a.input.size(); ++k) {
      distance += static_cast<std::uint64_t>(std::abs(a.input[k] - b.input[k]));
    }
    CHECK(distance <= a.sensitivity);
  }
}

TEST_CASE("coins are uniform and independent, and a replay gives each row its own (1e-6)") {
  using Coins = std::vector<std::uint64_t>;
  SeededBits bits(9);
  Kernel kernel(bits);
  constexpr std::size_t kCount = 100'000;
  const auto coins = kernel.draw_coins(Private<std::size_t>(kCount));
  // Private as they are, they are seen by way of counts without noise: at epsilon 1000 it is zero.
  const auto tally = [&](auto bucket) {
    const auto counts = transform(bucket, coins);
    return kernel.noisy_counts(counts, 64, L1Sensitivity(1), TestBudget::of("1000")).value();
  };
  const std::vector<double> law(64, 1.0 / 64);
  const auto uniform = [&](const Counts& counts) {
    CHECK(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) == kCount);
    return !chi_square({counts.begin(), counts.end()}, law, kSignificance).rejects();
  };
  CHECK(uniform(tally([](const Coins& c) {
    Counts counts(64);
    for (const std::uint64_t coin : c) ++counts[coin >> 58];
    return counts;
  })));
  CHECK(uniform(tally([](const Coins& c) {
    Counts counts(64);
    for (const std::uint64_t coin : c) ++counts[coin & 63];
    return counts;
  })));
  CHECK(uniform(tally([](const Coins& c) {
    Counts counts(64);
    for (std::size_t i = 0; i < c.size(); ++i) ++counts[(c[i] ^ c[(i + 1) % c.size()]) >> 58];
    return counts;
  })));

  RecordingMechanisms first(bits);
  first.draw_coins(Private<std::size_t>(3));
  RecordingMechanisms again(first.calls(), {2, RecordingMechanisms::kNewRow, 0});
  again.draw_coins(Private<std::size_t>(3));
  CHECK(again.calls()[0].coins[0] == first.calls()[0].coins[2]);
  CHECK(again.calls()[0].coins[2] == first.calls()[0].coins[0]);
  CHECK(again.spent() == Epsilon());
}

TEST_CASE("private values flow through transform, released ones through post_process") {
  SeededBits bits(8);
  Kernel kernel(bits);
  const Counts schema{10, 20};
  const auto counts = transform(
      [](const Counts& rows, const Counts& offsets) {
        return Counts{rows[0] + offsets[0], rows[1] + offsets[1]};
      },
      Private<Counts>(Counts{1, 2}), schema);
  auto noisy = kernel.noisy_counts(counts, 2, L1Sensitivity(1), TestBudget::of("1000"));
  CHECK(noisy.value() == Counts{11, 22});  // at epsilon 1000 the noise is zero
  const auto total =
      post_process([](const Counts& c, const Counts& s) { return c[0] + c[1] - s[0]; }, noisy,
                   as_public(schema));
  CHECK(total.value() == 23);
  // What is moved in is handed over, not copied.
  const auto longer = transform(
      [](Counts&& c) {
        c.push_back(1);
        return std::move(c);
      },
      Private<Counts>(Counts{1}));
  CHECK(kernel.noisy_counts(longer, 2, L1Sensitivity(1), TestBudget::of("1000")).value() ==
        Counts{1, 1});
}
