#include "privpfc/counting/grid_pool.h"

#include <doctest/doctest.h>

#include <set>

#include "support/random_tables.h"
#include "support/stops.h"

using namespace privpfc;

namespace {

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 40;

using Levels = std::vector<unsigned>;  // a Grid that GCC 12 can compare without a false warning

Levels levels_of(const Grid& grid) {
  return {grid.begin(), grid.end()};
}

// Every combination of levels, one axis after the other, that has at most so many cells.
std::set<Levels> all_grids(const GridSpace& space, std::uint64_t most_cells) {
  std::set<Levels> found;
  Grid grid(space.axis_count(), 0);
  for (;;) {
    if (space.cell_count(grid) <= most_cells) found.insert(levels_of(grid));
    std::size_t axis = 0;
    while (axis < grid.size() && grid[axis] == space.finest_level(axis)) grid[axis++] = 0;
    if (axis == grid.size()) return found;
    ++grid[axis];
  }
}

}  // namespace

TEST_CASE("the pool holds each grid with at most so many cells once, and no other") {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const Schema schema = random_schema(random, between(random, 1, 6), 2);
    const GridSpace space(schema);
    const std::uint64_t most_cells = between(random, 1, 60);
    const std::set<Levels> expected = all_grids(space, most_cells);

    const auto pool = GridPool::enumerate(space, most_cells, kNoLimit);
    REQUIRE(pool.has_value());
    std::set<Levels> found;
    std::uint64_t cells = 0;
    for (std::uint64_t i = 0; i < pool->size(); ++i) {
      const Grid grid = pool->grid(space, i);
      found.insert(levels_of(grid));
      cells += space.cell_count(grid);
    }
    CHECK(pool->size() == expected.size());
    CHECK(found == expected);
    CHECK(found.contains(Levels(space.axis_count(), 0)));
    CHECK(pool->total_cells() == cells);
    CHECK(pool->most_cells() == most_cells);
  }
}

TEST_CASE("blocks lie one behind the other and say which axes their grids use") {
  Random random(2);
  const GridSpace space(random_schema(random, 6, 2));
  const auto pool = GridPool::enumerate(space, 200, kNoLimit);
  std::uint64_t next = 0;
  for (const GridPool::Block& block : pool->blocks()) {
    CHECK(block.first_grid == next);
    for (std::uint64_t i = next; i < next + block.grid_count; ++i) {
      const Grid grid = pool->grid(space, i);
      std::vector<std::uint16_t> used;
      for (std::size_t axis = 0; axis < space.chain(); ++axis) {
        if (grid[axis] != 0) used.push_back(static_cast<std::uint16_t>(axis));
      }
      CHECK(used == block.axes);
    }
    next += block.grid_count;
  }
  CHECK(next == pool->size());
}

TEST_CASE("a pool of more grids than allowed is refused, one of just as many is not") {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const GridSpace space(random_schema(random, between(random, 1, 5), 2));
    const std::uint64_t most_cells = between(random, 1, 100);
    const std::uint64_t size = all_grids(space, most_cells).size();
    CHECK(GridPool::enumerate(space, most_cells, size).has_value());
    CHECK_FALSE(GridPool::enumerate(space, most_cells, size - 1).has_value());
  }
}

TEST_CASE("the numbering of the grids follows from the schema alone") {
  Random random(4);
  const Schema schema = random_schema(random, 5, 2);
  const GridSpace one(schema);
  const GridSpace other(schema);
  const auto first = GridPool::enumerate(one, 100, kNoLimit);
  const auto second = GridPool::enumerate(other, 100, kNoLimit);
  REQUIRE(first->size() == second->size());
  for (std::uint64_t i = 0; i < first->size(); ++i) {
    CHECK(first->grid(one, i) == second->grid(other, i));
  }
  CHECK(stops_the_program([&] { (void)first->grid(one, first->size()); }));
}

TEST_CASE("the number of cells stops counting where 63 bits end") {
  std::vector<Hierarchy> hierarchies(5, Hierarchy::from_tree(flat_tree(60'000)));
  const GridSpace space(schema_of(std::move(hierarchies), 2));
  Grid finest(space.axis_count(), 1);
  CHECK(space.cell_count(finest) == (std::uint64_t{1} << 63) - 1);
  const auto pool = GridPool::enumerate(space, 100'000, kNoLimit);
  CHECK(pool->size() == 6);  // no attribute, or one of them
}

TEST_CASE("a sample keeps to its limits and is complete over the first axes") {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const Schema schema = random_schema(random, between(random, 2, 7), 2);
    const GridSpace space(schema);
    const std::uint64_t most_cells = between(random, 2, 60);
    const auto whole = GridPool::enumerate(space, most_cells, kNoLimit);
    REQUIRE(whole.has_value());
    std::vector<std::size_t> ranked(space.axis_count());
    for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i] = i;
    std::shuffle(ranked.begin(), ranked.end(), random);
    const GridPool::Limits limits{between(random, 1, whole->size() + 10),
                                  between(random, 1, whole->total_cells() + 10)};
    const GridPool pool = GridPool::sample(space, most_cells, limits, ranked);
    const std::set<Levels> every = all_grids(space, most_cells);
    std::set<Levels> found;
    std::uint64_t cells = 0;
    for (std::uint64_t i = 0; i < pool.size(); ++i) {
      const Grid grid = pool.grid(space, i);
      cells += space.cell_count(grid);
      CHECK(every.contains(levels_of(grid)));
      found.insert(levels_of(grid));
    }
    CHECK(found.size() == pool.size());
    CHECK(found.contains(Levels(space.axis_count(), 0)));
    CHECK(pool.total_cells() == cells);
    CHECK(pool.size() <= limits.grids);
    if (pool.size() > 1) CHECK(cells <= limits.total_cells);
    if (limits.grids >= 2 * whole->size() && limits.total_cells >= 2 * whole->total_cells()) {
      CHECK(found == every);
    }
    const GridPool again = GridPool::sample(space, most_cells, limits, ranked);
    REQUIRE(again.size() == pool.size());
    for (std::uint64_t i = 0; i < pool.size(); ++i) {
      CHECK(levels_of(again.grid(space, i)) == levels_of(pool.grid(space, i)));
    }
  }
}

TEST_CASE("a sample of many attributes has grids of every number of attributes") {
  const GridSpace space(
      schema_of(std::vector<Hierarchy>(40, Hierarchy::from_tree(flat_tree(2))), 2));
  std::vector<std::size_t> ranked(40);
  for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i] = 39 - i;
  const GridPool pool = GridPool::sample(space, 4'096, {20'000, kNoLimit}, ranked);
  CHECK(pool.size() <= 20'000);
  CHECK(pool.size() > 19'000);
  std::vector<std::size_t> by_size(14, 0);
  std::size_t complete = 0;  // subsets of the first thirteen ranks
  for (std::uint64_t i = 0; i < pool.size(); ++i) {
    const Grid grid = pool.grid(space, i);
    std::size_t axes = 0;
    bool first_ranks_only = true;
    for (std::size_t axis = 0; axis < 40; ++axis) {
      axes += grid[axis];
      if (grid[axis] != 0 && axis < 27) first_ranks_only = false;
    }
    REQUIRE(axes <= 12);
    ++by_size[axes];
    complete += first_ranks_only ? 1 : 0;
  }
  CHECK(by_size[0] == 1);
  CHECK(by_size[1] == 40);
  for (std::size_t axes = 2; axes <= 12; ++axes) CHECK(by_size[axes] > 400);
  CHECK(complete >= 8'191);
}
