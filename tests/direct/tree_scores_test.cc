#include "privpfc/direct/tree_scores.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/random_tables.h"

using namespace privpfc;

namespace {

using Counts = std::vector<std::int64_t>;

// The least and the largest change of a side when a row of any class comes to it.
struct Change {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

void widen(Change& change, const ImpurityScore& score, Counts counts) {
  const std::int64_t before = score.side(counts);
  for (std::int64_t& count : counts) {
    ++count;
    const std::int64_t rise = score.side(counts) - before;
    --count;
    change.least = std::min(change.least, rise);
    change.most = std::max(change.most, rise);
  }
}

constexpr SplitScore kKinds[] = {SplitScore::kErrors, SplitScore::kGini, SplitScore::kEntropy};

}  // namespace

TEST_CASE("a row more raises an impurity by 0 to its range: all counts to 60, 2 and 3 classes") {
  for (const SplitScore kind : kKinds) {
    for (const std::int64_t rows : {1, 10, 1'000}) {  // few: the entropy is cut off
      const ImpurityScore score(kind, rows);
      Change change;
      for (std::int64_t a = 0; a <= 60; ++a) {
        for (std::int64_t b = 0; b <= 60; ++b) {
          widen(change, score, {a, b});
          if (a <= 20 && b <= 20) {
            for (std::int64_t c = 0; c <= 20; ++c) widen(change, score, {a, b, c});
          }
        }
      }
      CAPTURE(static_cast<int>(kind));
      CAPTURE(rows);
      CHECK(change.least >= 0);
      CHECK(static_cast<std::uint64_t>(change.most) <= score.range().width());
      // Declared no wider than by a twentieth more than what is met (entropy: if its range is met).
      if (kind != SplitScore::kEntropy || rows <= 10) {
        CHECK(static_cast<double>(change.most) > 0.95 * static_cast<double>(score.range().width()));
      }
    }
  }
}

TEST_CASE("a row more raises an impurity by 0 to its range: a million rows, 5 classes") {
  Random random(1);
  for (const SplitScore kind : kKinds) {
    const ImpurityScore score(kind, 1'000'000);
    Change change;
    for (int round = 0; round < 50'000; ++round) {
      Counts counts(5);
      for (std::int64_t& count : counts) {
        count = static_cast<std::int64_t>(below(random, below(random, 4) == 0 ? 3 : 1'000'000));
      }
      widen(change, score, counts);
    }
    CHECK(change.least >= 0);
    CHECK(static_cast<std::uint64_t>(change.most) <= score.range().width());
  }
}

TEST_CASE("the impurities are what their names say") {
  const Counts counts{30, 10};
  CHECK(ImpurityScore(SplitScore::kErrors, 1).side(counts) == 10);
  CHECK(ImpurityScore(SplitScore::kGini, 1).side(counts) == 15 << 16);
  const double entropy = -30 * std::log2(0.75) - 10 * std::log2(0.25);
  CHECK(static_cast<double>(ImpurityScore(SplitScore::kEntropy, 100).side(counts)) / 65'536 ==
        doctest::Approx(entropy).epsilon(1e-4));
  for (const SplitScore kind : kKinds) {
    CHECK(ImpurityScore(kind, 50).side(Counts{0, 0, 0}) == 0);
    CHECK(ImpurityScore(kind, 50).side(Counts{0, 17, 0}) == 0);
  }
}
