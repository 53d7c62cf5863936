#include "privpfc/pipeline/pool_plan.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/random_tables.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

Schema flat_schema(std::size_t attributes, std::size_t leaves) {
  return schema_of(std::vector<Hierarchy>(attributes, Hierarchy::from_tree(flat_tree(leaves))), 2);
}

std::vector<AttributeIndex> all_of(const Schema& schema) {
  std::vector<AttributeIndex> all;
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) all.emplace_back(i);
  return all;
}

}  // namespace

TEST_CASE(
    "the threshold is a fifth of noisy rows times epsilon, rounded down, from 2 to the limit") {
  const PoolLimits limits;
  CHECK(cell_threshold(45'222, eps("0.6"), limits) == 5'426);  // 5426.64
  CHECK(cell_threshold(25, eps("1"), limits) == 5);
  CHECK(cell_threshold(24, eps("1"), limits) == 4);
  CHECK(cell_threshold(1, eps("0.000000001"), limits) == 2);
  CHECK(cell_threshold(10'000'000, eps("1"), limits) == 100'000);
  CHECK(cell_threshold(std::numeric_limits<std::int64_t>::max(), eps("1000"), limits) == 100'000);
  Random random(1);
  for (int round = 0; round < 1'000; ++round) {
    const std::size_t rows = between(random, 1, 1'000'000);
    const std::size_t thousandths = between(random, 1, 5'000);
    const Epsilon epsilon = Epsilon::from_units(thousandths * 1'000'000);
    const std::uint64_t exact = rows * thousandths / 5'000;
    CHECK(cell_threshold(static_cast<std::int64_t>(rows), epsilon, limits) ==
          std::clamp<std::uint64_t>(exact, 2, limits.cells));
  }
  CHECK(stops_the_program([&] { (void)cell_threshold(0, eps("1"), limits); }));
}

TEST_CASE("usable levels are the finest that fit alone") {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const GridSpace space(random_schema(random, between(random, 1, 5), 2));
    const std::uint64_t most_cells = between(random, 1, 20);
    const Grid levels = usable_levels(space, most_cells);
    for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
      CHECK(space.node_count(axis, levels[axis]) <= most_cells);
      if (levels[axis] < space.finest_level(axis)) {
        CHECK(space.node_count(axis, levels[axis] + 1u) > most_cells);
      }
    }
  }
}

TEST_CASE("a pool is taken whole only if it keeps to every limit") {
  const GridSpace space(flat_schema(4, 2));  // 16 grids, 81 cells together, 16 joint cells
  const auto fits = [&](auto change, std::int64_t noisy_rows = 1'000) {
    PoolLimits limits;
    change(limits);
    return fitting_pool(space, 16, noisy_rows, limits).has_value();
  };
  CHECK(fits([](PoolLimits&) {}));
  CHECK(fits([](PoolLimits& l) { l.grids = 16; }));
  CHECK_FALSE(fits([](PoolLimits& l) { l.grids = 15; }));
  CHECK(fits([](PoolLimits& l) { l.total_cells = 81; }));
  CHECK_FALSE(fits([](PoolLimits& l) { l.total_cells = 80; }));
  // Different rows are at most as many as joint cells, and as rows.
  const auto hold = [](std::uint64_t points, std::uint64_t rows) {
    return [=](PoolLimits& l) { l.points = points, l.kept_rows = rows; };
  };
  CHECK(fits(hold(16, 999)));
  CHECK_FALSE(fits(hold(15, 999)));
  CHECK(fits(hold(15, 1'000)));
}

TEST_CASE("the number of features to pick is 2 ln T / ln b, b the median first branching") {
  CHECK(feature_picks(GridSpace(flat_schema(20, 2)), 16) == 8);
  CHECK(feature_picks(GridSpace(flat_schema(20, 2)), 17) == 9);
  CHECK(feature_picks(GridSpace(flat_schema(20, 4)), 16) == 4);
  CHECK(feature_picks(GridSpace(flat_schema(20, 5)), 16) == 4);  // 3.45
  CHECK(feature_picks(GridSpace(flat_schema(3, 2)), 16) == 3);   // no more than there are
  CHECK(feature_picks(GridSpace(flat_schema(3, 1)), 16) == 1);   // nothing to branch on
  CHECK(feature_picks(GridSpace(flat_schema(20, 1'000)), 2) == 1);
}

TEST_CASE("too many grids over the picks: the first picks completely, and some of the rest") {
  const Schema schema = flat_schema(10, 2);
  for (std::uint64_t grids = 64; grids < 1'023; grids += 37) {
    PoolLimits limits;
    limits.grids = grids;
    const ChosenPool chosen = pool_over_picks(schema, all_of(schema), 1'000, 1'000, limits);
    CHECK(chosen.space.axis_count() == 10);
    CHECK(chosen.pool.size() <= grids);
    CHECK(chosen.pool.size() > grids / 2);
    CHECK(chosen.pool.most_cells() == 1'000);
  }
}

TEST_CASE("only picks that can be counted jointly take part") {
  const Schema schema = flat_schema(10, 2);
  PoolLimits limits;
  limits.points = limits.kept_rows = 64;
  CHECK(pool_over_picks(schema, all_of(schema), 1'000, 1'000, limits).space.axis_count() == 6);
  CHECK(pool_over_picks(schema, all_of(schema), 1'000, 64, limits).space.axis_count() == 10);
}

TEST_CASE("the one-cell grid is left when nothing else keeps to the limits") {
  const Schema schema = flat_schema(10, 2);
  PoolLimits limits;
  limits.grids = 1;
  const ChosenPool chosen = pool_over_picks(schema, all_of(schema), 40, 1'000, limits);
  CHECK(chosen.pool.size() == 1);
  CHECK(chosen.space.cell_count(chosen.pool.grid(chosen.space, 0)) == 1);
}

TEST_CASE("a single pick makes a pool") {
  const Schema schema = flat_schema(3, 2);
  const ChosenPool chosen = pool_over_picks(schema, {AttributeIndex(2u)}, 2, 10, PoolLimits());
  CHECK(chosen.pool.size() == 2);
  CHECK(chosen.space.attribute(0) == AttributeIndex(2u));
}
