#include "privpfc/quality/misclassification.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/stops.h"

using namespace privpfc;

namespace {

constexpr std::uint64_t kUnits = 1'000'000'000;
constexpr double kOneRow = static_cast<double>(MisclassificationTable::kOneRow);

MisclassificationTable table_for(double epsilon) {
  return {static_cast<std::uint64_t>(std::llround(epsilon * static_cast<double>(kUnits))), kUnits};
}

// The probability that geometric noise on two counts turns a margin of x round, ties by a fair
// coin: the sum over all pairs of noises, term by term.
double flip_probability(double epsilon, int margin) {
  const double alpha = std::exp(-epsilon);
  const double scale = (1 - alpha) / (1 + alpha);
  const int reach = static_cast<int>(45 / epsilon) + margin + 10;
  const auto mass = [&](int z) { return scale * std::pow(alpha, std::abs(z)); };
  // above[i] is P[Z > i - reach].
  std::vector<double> above(2 * static_cast<std::size_t>(reach) + 1, 0);
  for (int z = reach - 1; z >= -reach; --z) {
    const auto i = static_cast<std::size_t>(z + reach);
    above[i] = above[i + 1] + mass(z + 1);
  }
  double flips = 0;
  for (int first = -reach; first <= reach; ++first) {  // the larger count's noise
    const int needed = first + margin;                 // the other's must be above that
    if (needed > reach) break;
    const double wins = needed < -reach ? 1 : above[static_cast<std::size_t>(needed + reach)];
    flips += mass(first) * (wins + mass(needed) / 2);
  }
  return flips;
}

}  // namespace

TEST_CASE("the table is the expected number of rows that noise turns round, summed directly") {
  for (const double epsilon : {0.05, 0.1, 0.3, 0.6, 1.0, 2.0, 5.0}) {
    const MisclassificationTable table = table_for(epsilon);
    for (int x = 0; x <= std::min(400, static_cast<int>(30 / epsilon));
         x = x < 20 ? x + 1 : x + 7) {
      const double excess = x * flip_probability(epsilon, x);
      const double closed = x * std::exp(-epsilon * x) * (1 + x * std::tanh(epsilon / 2)) / 2;
      CHECK(std::abs(excess - closed) < 1e-9);
      CHECK(std::abs(static_cast<double>(table[static_cast<std::uint64_t>(x)]) - kOneRow * excess) <
            0.51);
    }
  }
}

TEST_CASE("the score range is the one that was computed apart from this program") {
  const auto range = [](double epsilon) {
    return static_cast<double>(table_for(epsilon).score_range()) / kOneRow;
  };
  CHECK(std::abs(range(0.01) - 1.177814) < 1e-6);
  CHECK(std::abs(range(0.1) - 1.17770) < 1e-5);
  CHECK(std::abs(range(1) - 1.164406) < 1e-6);
  CHECK(std::abs(range(3) - 1.080921) < 1e-6);
}

TEST_CASE("the table begins and ends in nothing, and with a small epsilon it fades out") {
  for (const double epsilon : {0.001, 0.01, 0.1, 1.0, 3.0, 10.0, 50.0, 1000.0}) {
    const MisclassificationTable table = table_for(epsilon);
    REQUIRE(table.size() > 0);
    CHECK(table[0] == 0);
    if (epsilon <= 1) CHECK(table[table.size() - 1] <= 1);
    CHECK(table[table.size()] == 0);
    CHECK(table[~std::uint64_t{0}] == 0);
  }
}

TEST_CASE(
    "the largest fall is that of the integers, also where a tiny epsilon cuts the table off") {
  for (const std::uint64_t units : {std::uint64_t{1}, std::uint64_t{30}, std::uint64_t{1'500},
                                    kUnits / 1000, kUnits, 1000 * kUnits}) {
    const MisclassificationTable table(units, kUnits);
    std::int64_t fall = 0;
    bool small_steps = true;
    for (std::uint64_t x = 0; x <= table.size(); ++x) {
      fall = std::max(fall, table[x] - table[x + 1]);
      small_steps &= table[x + 1] - table[x] <= MisclassificationTable::kOneRow / 2;
      small_steps &= table[x] >= 0;
    }
    CHECK(small_steps);
    CHECK(table.largest_fall() == fall);
    CHECK(table.score_range() == MisclassificationTable::kOneRow + 2 * fall);
  }
}

TEST_CASE("noise without an epsilon has no table") {
  CHECK(stops_the_program([] { MisclassificationTable table(0, kUnits); }));
}
