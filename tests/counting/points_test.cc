#include "privpfc/counting/points.h"

#include <doctest/doctest.h>

#include <map>
#include <numeric>

#include "privpfc/counting/grid_counts.h"
#include "privpfc/counting/row_counts.h"
#include "support/random_tables.h"
#include "support/stops.h"

using namespace privpfc;

namespace {

using Nodes = std::vector<std::uint32_t>;
using Counts = std::vector<std::int64_t>;
using CountsByNodes = std::map<Nodes, Counts>;

CountsByNodes naive(const Schema& schema, const GridSpace& space, const std::vector<Row>& rows,
                    const Grid& levels) {
  CountsByNodes counts;
  for (const Row& row : rows) {
    Nodes nodes;
    for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
      const AttributeIndex attribute = space.attribute(axis);
      const LeafIndex leaf(std::uint32_t{row.leaves[attribute.value()]});
      nodes.push_back(
          schema[attribute].hierarchy.node_of(LevelIndex(std::size_t{levels[axis]}), leaf).value());
    }
    Counts& cell = counts.try_emplace(nodes, schema.class_count(), 0).first->second;
    ++cell[row.label];
  }
  return counts;
}

// Points as a map; finds it an error if two points are equal.
CountsByNodes as_map(const GridSpace& space, const Points& points) {
  CountsByNodes counts;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Nodes nodes;
    for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
      nodes.push_back(points.levels[axis] == 0 ? 0u : points.node(space, i, axis));
    }
    const auto first = points.counts.begin() + static_cast<std::ptrdiff_t>(i * points.classes);
    const bool fresh =
        counts.emplace(nodes, Counts(first, first + static_cast<std::ptrdiff_t>(points.classes)))
            .second;
    CHECK(fresh);
  }
  return counts;
}

Grid random_levels(Random& random, const Grid& most) {
  Grid levels = most;
  for (std::uint8_t& level : levels) {
    level = static_cast<std::uint8_t>(between(random, 0, level));
  }
  return levels;
}

Grid finest(const GridSpace& space) {
  Grid levels;
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    levels.push_back(static_cast<std::uint8_t>(space.finest_level(axis)));
  }
  return levels;
}

// Groups the rows, coarsens them twice, and compares each step with the plain way.
void compare(Random& random, const Schema& schema, std::size_t row_count) {
  const GridSpace space(schema);
  const std::vector<Row> rows = random_rows(random, schema, row_count);
  const EncodedTable table = encoded(schema, rows, between(random, 1, 150));
  const Grid at = below(random, 2) == 0 ? finest(space) : random_levels(random, finest(space));
  const Points points = group_rows(table, space, schema.class_count(), at);
  REQUIRE(as_map(space, points) == naive(schema, space, rows, at));
  REQUIRE(as_map(space, group_rows(table, space, schema.class_count(), at, 3)) ==
          as_map(space, points));

  Grouper grouper;
  Points coarser;
  Points coarsest;
  const Grid once = random_levels(random, at);
  grouper.coarsen(space, points, once, coarser);
  REQUIRE(as_map(space, coarser) == naive(schema, space, rows, once));
  const Grid twice = random_levels(random, once);
  grouper.coarsen(space, coarser, twice, coarsest);
  REQUIRE(as_map(space, coarsest) == naive(schema, space, rows, twice));
}

}  // namespace

TEST_CASE("grouping rows and points gives what naive counting gives, for 2 to 5 classes") {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    const std::size_t classes = 2 + static_cast<std::size_t>(round) % 4;
    compare(random, random_schema(random, between(random, 1, 8), classes), below(random, 300));
  }
}

TEST_CASE("many rows of few combinations are grouped as naive counting does") {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    compare(random, random_schema(random, between(random, 1, 4), 2 + below(random, 3), 3, 2),
            4'000);
  }
}

TEST_CASE("keys of several words are told apart by each of them") {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    std::vector<Hierarchy> hierarchies;
    const std::size_t attributes = between(random, 9, 30);
    for (std::size_t i = 0; i < attributes; ++i) {
      hierarchies.push_back(below(random, 4) == 0
                                ? Hierarchy::from_tree(random_tree(random, 4, 3))
                                : Hierarchy::from_tree(flat_tree(between(random, 2, 700))));
    }
    hierarchies.push_back(Hierarchy::from_tree(flat_tree(3'000)));
    const Schema schema = schema_of(std::move(hierarchies), 2 + below(random, 4));
    if (round == 0) REQUIRE(GridSpace(schema).key_words() > 1);
    compare(random, schema, 200);
  }
}

TEST_CASE("an attribute with a single leaf fits behind a word that is full") {
  // 64 attributes of one bit, then one of no bits, then the chain.
  std::vector<Hierarchy> hierarchies(65, Hierarchy::from_tree(flat_tree(2)));
  hierarchies.push_back(Hierarchy::from_tree(flat_tree(1)));
  const Schema schema = schema_of(std::move(hierarchies), 2);
  const GridSpace space(schema);
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) CHECK(space.field(axis).shift < 64);
  Random random(3);
  compare(random, schema, 100);
}

TEST_CASE("a histogram has every cell, the empty ones too, with the first axis slowest") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    const Schema schema = random_schema(random, between(random, 1, 4), between(random, 2, 5));
    const std::size_t classes = schema.class_count();
    const GridSpace space(schema);
    const std::vector<Row> rows = random_rows(random, schema, below(random, 100));
    const Points points = group_rows(encoded(schema, rows), space, classes, finest(space));
    const Grid grid = random_levels(random, finest(space));

    Counts expected(space.cell_count(grid) * classes, 0);
    for (const auto& [nodes, counts] : naive(schema, space, rows, grid)) {
      std::size_t cell = 0;
      for (std::size_t axis = 0; axis < nodes.size(); ++axis) {
        cell = cell * space.node_count(axis, grid[axis]) + nodes[axis];
      }
      for (std::size_t c = 0; c < classes; ++c) expected[cell * classes + c] += counts[c];
    }
    CHECK(count_grid(space, points, grid) == expected);
  }
}

TEST_CASE("counts by class and by leaf are those of the rows") {
  Random random(5);
  Schema schema = random_schema(random, 3, 3);
  schema.attributes.push_back(schema.attributes.front());
  schema.attributes.back().hierarchy = Hierarchy::from_tree(flat_tree(1000));
  const std::vector<Row> rows = random_rows(random, schema, 500);
  const EncodedTable table = encoded(schema, rows, 77);
  Counts by_class(3, 0);
  for (const Row& row : rows) ++by_class[row.label];
  CHECK(count_classes(table, 3) == by_class);
  for (std::size_t a = 0; a < schema.attributes.size(); ++a) {
    const std::size_t leaves = schema.attributes[a].hierarchy.leaf_count();
    Counts by_leaf(leaves * 3, 0);
    for (const Row& row : rows) ++by_leaf[std::size_t{row.leaves[a]} * 3 + row.label];
    for (const unsigned threads : {1u, 3u}) {
      CHECK(count_leaves(table, AttributeIndex(a), leaves, 3, threads) == by_leaf);
    }
  }
}

TEST_CASE("points cannot be made finer than they are") {
  Random random(6);
  const Schema schema = random_schema(random, 3, 2);
  const GridSpace space(schema);
  const Grid nothing(space.axis_count(), 0);
  const Points points =
      group_rows(encoded(schema, random_rows(random, schema, 10)), space, 2, nothing);
  Grouper grouper;
  Points result;
  CHECK(stops_the_program([&] { grouper.coarsen(space, points, finest(space), result); }));
}
