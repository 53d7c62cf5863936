#include "privpfc/as_published/privpfc.h"

#include <doctest/doctest.h>

#include <numeric>

#include "support/random_tables.h"

using namespace privpfc;

namespace {

using NoiseFree = PublishedPrivPfc::NoiseFree;

// Ten attributes of which the first alone decides the label, nearly always.
struct Telling {
  Schema schema = schema_of(std::vector<Hierarchy>(10, Hierarchy::from_tree(flat_tree(2))), 2);
  EncodedTable table;

  explicit Telling(std::size_t rows) {
    Random random(3);
    std::vector<Row> made = random_rows(random, schema, rows);
    for (Row& row : made)
      row.label = static_cast<std::uint8_t>(row.leaves[0] ^ (below(random, 20) == 0 ? 1u : 0u));
    table = encoded(schema, made);
  }
};

}  // namespace

TEST_CASE("the telling attribute is in the grid, with and without feature selection") {
  const Telling data(4'000);
  for (const NoiseFree noise_free :
       {NoiseFree::kNothing, NoiseFree::kFeatures, NoiseFree::kFeaturesAndSelection}) {
    for (const std::uint64_t most_grids : {200'000u, 100u}) {
      PublishedPrivPfc options;
      options.noise_free = noise_free;
      options.most_grids = most_grids;
      const Synopsis made = publish_as_published(data.table, data.schema, 1, options, 5);
      REQUIRE_FALSE(made.axes.empty());
      CHECK(made.axes[0].attribute == AttributeIndex(0u));
      CHECK(made.selected_features.empty() == (most_grids == 200'000u));
      CHECK(made.pool_size <= most_grids);
      CHECK(made.noisy_rows == 4'000);
      CHECK(made.cell_counts.size() == (std::size_t{2} << made.axes.size()));
      for (const std::int64_t count : made.cell_counts) CHECK(count >= 0);
      CHECK(made.steps.empty());
    }
  }
}

TEST_CASE("the same seed gives the same synopsis, another seed another one") {
  const Telling data(500);
  const auto counts = [&](std::uint64_t seed) {
    return publish_as_published(data.table, data.schema, 0.5, {}, seed).cell_counts;
  };
  CHECK(counts(1) == counts(1));
  CHECK(counts(1) != counts(2));
}

TEST_CASE("without noise in the selection the best grid wins, whatever the seed") {
  const Telling data(4'000);
  PublishedPrivPfc options;
  options.noise_free = NoiseFree::kFeaturesAndSelection;
  const Synopsis first = publish_as_published(data.table, data.schema, 0.02, options, 1);
  for (std::uint64_t seed = 2; seed < 20; ++seed) {
    const Synopsis other = publish_as_published(data.table, data.schema, 0.02, options, seed);
    REQUIRE(other.axes.size() == first.axes.size());
    for (std::size_t i = 0; i < first.axes.size(); ++i) {
      CHECK(other.axes[i].attribute == first.axes[i].attribute);
    }
  }
}
