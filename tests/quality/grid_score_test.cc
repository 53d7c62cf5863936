#include "privpfc/quality/grid_score.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "support/random_tables.h"

using namespace privpfc;

namespace {

constexpr std::uint64_t kUnits = 1'000'000'000;
constexpr std::int64_t kOneRow = MisclassificationTable::kOneRow;

// From vanishing (the table is cut off) to enormous.
constexpr std::array<std::uint64_t, 14> kEpsilons = {
    1,           1'000,       100'000, 1'000'000,  10'000'000, 50'000'000,  100'000'000,
    300'000'000, 600'000'000, kUnits,  2 * kUnits, 3 * kUnits, 10 * kUnits, 1000 * kUnits};

struct Change {
  std::int64_t least = 0;
  std::int64_t most = 0;

  void include(std::int64_t change) {
    least = std::min(least, change);
    most = std::max(most, change);
  }
  bool within(std::int64_t low, std::int64_t high) const { return low <= least && most <= high; }
};

// What adding one row does to a cell of two classes, over all counts up to 400.
Change all_pairs(const MisclassificationTable& table) {
  constexpr std::int64_t kMost = 400;
  std::vector<std::int64_t> scores((kMost + 2) * (kMost + 2));
  const auto at = [&](std::int64_t a, std::int64_t b) -> std::int64_t& {
    return scores[static_cast<std::size_t>(a * (kMost + 2) + b)];
  };
  for (std::int64_t a = 0; a < kMost + 2; ++a) {
    for (std::int64_t b = 0; b < kMost + 2; ++b) {
      at(a, b) = cell_score(std::array<std::int64_t, 2>{a, b}, table);
    }
  }
  Change change;
  for (std::int64_t a = 0; a <= kMost; ++a) {
    for (std::int64_t b = 0; b <= kMost; ++b) {
      change.include(at(a + 1, b) - at(a, b));
      change.include(at(a, b + 1) - at(a, b));
    }
  }
  return change;
}

// The same for random cells of several classes, many of them with ties for first or second place,
// and with margins around the table's end.
Change random_cells(const MisclassificationTable& table, Random& random, int rounds) {
  Change change;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::int64_t> cell(between(random, 2, 8));
    const std::size_t spread =
        std::array<std::size_t, 4>{2, 10, 300, table.size() + 3}[below(random, 4)];
    for (std::int64_t& count : cell) count = static_cast<std::int64_t>(below(random, spread + 1));
    const std::int64_t before = cell_score(cell, table);
    for (std::int64_t& count : cell) {
      ++count;
      change.include(cell_score(cell, table) - before);
      --count;
    }
  }
  return change;
}

}  // namespace

TEST_CASE("one row more changes a cell's score by no more than is declared: all pairs up to 400") {
  for (const std::uint64_t units : kEpsilons) {
    CAPTURE(units);
    const MisclassificationTable table(units, kUnits);
    CHECK(all_pairs(table).within(-table.largest_fall(), kOneRow + table.largest_fall()));
  }
}

TEST_CASE("one row more changes a cell's score by no more than is declared: several classes") {
  Random random(1);
  for (const std::uint64_t units : kEpsilons) {
    CAPTURE(units);
    const MisclassificationTable table(units, kUnits);
    CHECK(random_cells(table, random, 20'000)
              .within(-table.largest_fall(), kOneRow + table.largest_fall()));
  }
}

TEST_CASE("both ends of the declared interval are reached, so that nothing smaller would do") {
  for (const std::uint64_t units : {kUnits / 10, kUnits, 3 * kUnits}) {
    const MisclassificationTable table(units, kUnits);
    const Change change = all_pairs(table);
    CHECK(change.least == -table.largest_fall());
    CHECK(change.most == kOneRow + table.largest_fall());
  }
}

TEST_CASE("mutant: to pretend that the score only rises, by one row at most, is caught") {
  const MisclassificationTable table(kUnits, kUnits);
  const Change change = all_pairs(table);
  CHECK_FALSE(change.within(0, kOneRow));
  CHECK(change.most - change.least > kOneRow);
  // Nor would any other place for an interval of one row do: its width is too small.
  CHECK(change.most - change.least == table.score_range());
}

TEST_CASE("a cell's score: rows outside the largest class, and the table at the margin") {
  const MisclassificationTable table(kUnits, kUnits);
  const auto score = [&](std::vector<std::int64_t> counts) { return cell_score(counts, table); };
  CHECK(score({0, 0}) == 0);
  CHECK(score({5, 5}) == 5 * kOneRow);
  CHECK(score({7, 3}) == 3 * kOneRow + table[4]);
  CHECK(score({3, 7}) == 3 * kOneRow + table[4]);
  CHECK(score({2, 9, 4, 9, 1}) == 16 * kOneRow);
  CHECK(score({2, 9, 4, 1}) == 7 * kOneRow + table[5]);
  CHECK(score({0, 0, 6}) == table[6]);
}

TEST_CASE("a grid's score is the sum over its cells") {
  const MisclassificationTable table(kUnits, kUnits);
  const std::vector<std::int64_t> counts{7, 3, 1, 0, 0, 0, 2, 2, 5};
  CHECK(grid_score(counts, 3, table) == 4 * kOneRow + table[4] + 0 + 4 * kOneRow + table[3]);
}
