#include "privpfc/quality/feature_score.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/random_tables.h"

using namespace privpfc;

namespace {

using Counts = std::vector<std::int64_t>;

Counts random_class_counts(Random& random, std::size_t classes) {
  Counts counts;
  for (std::size_t c = 0; c < classes; ++c) {
    const std::size_t size = std::size_t{1} << below(random, 20);
    counts.push_back(static_cast<std::int64_t>(below(random, size)) - 3);
  }
  return counts;
}

std::uint64_t sum_of_shares(const FeatureScore& score) {
  return std::accumulate(score.shares().begin(), score.shares().end(), std::uint64_t{0});
}

// Adds one row in every leaf and class, and finds the least and the largest change.
std::pair<std::int64_t, std::int64_t> changes(const FeatureScore& score, Counts counts) {
  std::pair<std::int64_t, std::int64_t> ends{0, 0};
  const std::int64_t before = score(counts);
  for (std::int64_t& count : counts) {
    ++count;
    const std::int64_t change = score(counts) - before;
    ends = {std::min(ends.first, change), std::max(ends.second, change)};
    --count;
  }
  return ends;
}

}  // namespace

TEST_CASE("class shares are whole numbers that sum to one, each at least 2^-10") {
  Random random(1);
  for (int round = 0; round < 2'000; ++round) {
    const std::size_t classes = round % 10 == 0 ? 255 : between(random, 2, 8);
    const FeatureScore score(random_class_counts(random, classes));
    CHECK(sum_of_shares(score) == FeatureScore::kOne);
    CHECK(*std::min_element(score.shares().begin(), score.shares().end()) >= FeatureScore::kOne >>
          10);
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  for (const Counts& counts : {Counts{0, 0, 0}, Counts{-5, -7}, Counts{kMost, kMost},
                               Counts{kLeast, kMost}, Counts{kLeast, kLeast, kLeast}}) {
    CHECK(sum_of_shares(FeatureScore(counts)) == FeatureScore::kOne);
  }
}

TEST_CASE("one row more changes a feature's score by something in the declared range") {
  Random random(2);
  for (const std::size_t classes : {2u, 3u, 5u}) {
    double largest_ratio = 0;
    for (int round = 0; round < 4'000; ++round) {
      const FeatureScore score(random_class_counts(random, classes));
      Counts counts(classes * between(random, 1, 6));
      for (std::int64_t& count : counts) {
        count = static_cast<std::int64_t>(below(random, below(random, 2) == 0 ? 3 : 1'000));
      }
      const auto [least, most] = changes(score, counts);
      const std::int64_t half = score.score_range() / 2;
      CHECK(-half <= least);
      CHECK(most <= half);
      largest_ratio = std::max(
          largest_ratio, static_cast<double>(std::max(-least, most)) / static_cast<double>(half));
    }
    CHECK(largest_ratio > 0.99);
  }
}

TEST_CASE("a feature's score can move by half its range in both directions") {
  // Two classes with 3/4 and 1/4: rows of the rarer one, into a leaf that has none and into a leaf
  // that has too few of them.
  const FeatureScore score(Counts{3'000, 1'000});
  const std::int64_t half = score.score_range() / 2;
  CHECK(changes(score, {0, 0}).second == half);
  CHECK(changes(score, {1'000, 10}).first == -half);
}

TEST_CASE("mutant: half the range, as if the score only rose, is caught") {
  const FeatureScore score(Counts{3'000, 1'000});
  const std::int64_t width = changes(score, {0, 0}).second - changes(score, {1'000, 10}).first;
  CHECK(width > score.score_range() / 2);
  CHECK(width == score.score_range());
}

TEST_CASE("the feature score is half the sum of |o - pi r|, in units of 2^-17") {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t classes = between(random, 2, 5);
    const FeatureScore score(random_class_counts(random, classes));
    Counts counts(classes * between(random, 1, 6));
    for (std::int64_t& count : counts) count = static_cast<std::int64_t>(below(random, 50));
    double sum = 0;
    for (std::size_t leaf = 0; leaf < counts.size(); leaf += classes) {
      double rows = 0;
      for (std::size_t c = 0; c < classes; ++c) rows += static_cast<double>(counts[leaf + c]);
      for (std::size_t c = 0; c < classes; ++c) {
        const double share = static_cast<double>(score.shares()[c]) / FeatureScore::kOne;
        sum += std::abs(static_cast<double>(counts[leaf + c]) - share * rows);
      }
    }
    CHECK(std::abs(static_cast<double>(score(counts)) - sum / 2 * 0x1p17) < 1e-3);
  }
}
