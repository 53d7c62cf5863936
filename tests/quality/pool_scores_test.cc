#include "privpfc/quality/pool_scores.h"

#include <doctest/doctest.h>

#include "privpfc/counting/grid_counts.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/quality/grid_score.h"
#include "privpfc/quality/packed_pairs.h"
#include "support/random_tables.h"

using namespace privpfc;

namespace {

constexpr std::uint64_t kUnits = 1'000'000'000;

Grid finest_that_fit(const GridSpace& space, std::uint64_t most_cells) {
  Grid levels(space.axis_count(), 0);
  for (std::size_t axis = 0; axis < levels.size(); ++axis) {
    while (levels[axis] < space.finest_level(axis) &&
           space.node_count(axis, levels[axis] + 1u) <= most_cells) {
      ++levels[axis];
    }
  }
  return levels;
}

std::vector<std::int64_t> recount(const GridSpace& space, const GridPool& pool,
                                  const Points& points, const MisclassificationTable& table) {
  std::vector<std::int64_t> scores;
  for (std::uint64_t i = 0; i < pool.size(); ++i) {
    scores.push_back(
        grid_score(count_grid(space, points, pool.grid(space, i)), points.classes, table));
  }
  return scores;
}

// Scores one pool in all ways; each must give the same integers.
void compare(Random& random, const Schema& schema, std::uint64_t most_cells, std::size_t rows) {
  const GridSpace space(schema);
  const auto pool = GridPool::enumerate(space, most_cells, 1'000'000);
  REQUIRE(pool.has_value());
  const Points points = group_rows(encoded(schema, random_rows(random, schema, rows)), space,
                                   schema.class_count(), finest_that_fit(space, most_cells));
  const MisclassificationTable table(between(random, 1, 30) * kUnits / 10, kUnits);
  const std::vector<std::int64_t> expected = recount(space, *pool, points, table);
  for (const unsigned threads : {1u, 2u, 3u}) {
    REQUIRE(score_pool(space, *pool, points, table, threads) == expected);
  }
  std::vector<std::size_t> ranked(space.axis_count());
  for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i] = i;
  std::shuffle(ranked.begin(), ranked.end(), random);
  const GridPool part =
      GridPool::sample(space, most_cells, {pool->size() / 2 + 1, 1'000'000}, ranked);
  REQUIRE(score_pool(space, part, points, table, 2) == recount(space, part, points, table));
}

}  // namespace

TEST_CASE("fast scores are those of a recount, for 1 to 8 attributes and 2 to 5 classes") {
  Random random(1);
  for (int round = 0; round < 160; ++round) {
    const std::size_t attributes = 1 + static_cast<std::size_t>(round) % 8;
    const std::size_t classes = 2 + static_cast<std::size_t>(round / 8) % 4;
    CAPTURE(round);
    compare(random, random_schema(random, attributes, classes), between(random, 1, 40),
            below(random, 400));
  }
}

TEST_CASE("fast scores are those of a recount, where cells are few and rows many") {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    compare(random, random_schema(random, 4, 2 + below(random, 3), 2, 2), 16, 5'000);
  }
}

TEST_CASE("fast scores are those of a recount, with keys of several words") {
  Random random(3);
  for (int round = 0; round < 10; ++round) {
    std::vector<Hierarchy> hierarchies;
    for (int i = 0; i < 8; ++i) {
      hierarchies.push_back(Hierarchy::from_tree(flat_tree(between(random, 200, 900))));
    }
    for (int i = 0; i < 3; ++i) {
      hierarchies.push_back(Hierarchy::from_tree(random_tree(random, 3, 3)));
    }
    compare(random, schema_of(std::move(hierarchies), 2 + below(random, 2)),
            below(random, 2) == 0 ? 1'000 : 100, 300);
  }
}

TEST_CASE("fast scores are those of a recount, up to and beyond what packed pairs hold") {
  Random random(6);
  const Schema schema = random_schema(random, 4, 2);
  const GridSpace space(schema);
  const auto pool = GridPool::enumerate(space, 60, 1'000'000);
  Points points = group_rows(encoded(schema, random_rows(random, schema, 200)), space, 2,
                             finest_that_fit(space, 60));
  const MisclassificationTable table(kUnits / 50, kUnits);
  for (const std::uint32_t total : {65'535u, 65'536u, 4'000'000u}) {
    // All rows of a class but a few are of one point.
    for (const std::size_t label : {0u, 1u}) {
      Points heavy = points;
      std::uint32_t others = 0;
      for (std::size_t i = 1; i < heavy.size(); ++i) others += heavy.counts[2 * i + label];
      heavy.counts[label] = total - others;
      const bool fits = total < 65'536;
      CHECK((count_form(heavy, table) == CountForm::kPackedPair) == fits);
      CHECK(score_pool(space, *pool, heavy, table, 1) == recount(space, *pool, heavy, table));
    }
  }
  const MisclassificationTable wide(kUnits / 50'000, kUnits);
  CHECK(count_form(points, wide) == CountForm::kPerClass);
  CHECK(score_pool(space, *pool, points, wide, 1) == recount(space, *pool, points, wide));
}

TEST_CASE("an empty table has a score for every grid: nothing") {
  Random random(4);
  const Schema schema = random_schema(random, 3, 2);
  const GridSpace space(schema);
  const auto pool = GridPool::enumerate(space, 20, 1'000'000);
  const Points points = group_rows(EncodedTable(), space, 2, finest_that_fit(space, 20));
  const MisclassificationTable table(kUnits, kUnits);
  CHECK(score_pool(space, *pool, points, table, 1) == std::vector<std::int64_t>(pool->size(), 0));
}

TEST_CASE("the order of the rows makes no difference to any score") {
  Random random(5);
  const Schema schema = random_schema(random, 4, 3);
  const GridSpace space(schema);
  const auto pool = GridPool::enumerate(space, 50, 1'000'000);
  const MisclassificationTable table(kUnits, kUnits);
  std::vector<Row> rows = random_rows(random, schema, 300);
  const auto scores = [&] {
    const Points points = group_rows(encoded(schema, rows), space, 3, finest_that_fit(space, 50));
    return score_pool(space, *pool, points, table, 1);
  };
  const std::vector<std::int64_t> before = scores();
  for (int round = 0; round < 20; ++round) {
    std::shuffle(rows.begin(), rows.end(), random);
    CHECK(scores() == before);
  }
}
