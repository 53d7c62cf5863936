#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "pipeline/neighbours.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/pipeline/publish.h"
#include "privpfc/quality/pool_scores.h"
#include "privpfc/release/ledger.h"
#include "support/effort.h"
#include "support/random_tables.h"
#include "support/seeded_bits.h"
#include "support/temporary_folder.h"
#include "support/test_budget.h"

using namespace privpfc;

// Every mechanism call of a run is written down; a run on a neighbouring table gets the same
// answers. Then nothing may differ but the calls' inputs, and these by no more than was declared.

namespace {

struct World {
  Schema schema;
  std::vector<Row> rows;
  PublishOptions options;
  Epsilon epsilon;
};

struct Run {
  Synopsis synopsis;
  std::vector<std::string> stages;
};

Run run(const World& world, const std::vector<Row>& rows, RecordingMechanisms& mechanisms,
        Budget budget) {
  std::vector<std::string> stages;
  const Released<Synopsis> synopsis = publish(
      Private<EncodedTable>(encoded(world.schema, rows, 64)), world.schema, world.options,
      mechanisms, std::move(budget), [&](std::string_view stage) { stages.emplace_back(stage); });
  return {synopsis.value(), std::move(stages)};
}

Run run(const World& world, const std::vector<Row>& rows, RecordingMechanisms& mechanisms) {
  return run(world, rows, mechanisms, TestBudget::of(world.epsilon));
}

// By the record and by the release's own account. Columns that are not there cost nothing, but are
// paid for.
struct Paid {
  Epsilon by_calls;
  Epsilon by_steps;
};
Paid paid(const World& world, const RecordingMechanisms& recorder, const Synopsis& synopsis) {
  Epsilon steps;
  for (const Synopsis::Step& step : synopsis.steps) steps = steps + step.epsilon;
  const bool columns_unused = world.options.shares.columns > 0 && synopsis.side_columns.empty();
  return {recorder.spent() + (columns_unused ? synopsis.steps.back().epsilon : Epsilon()), steps};
}

World random_world(Random& random) {
  World world;
  world.schema =
      random_schema(random, between(random, 1, 6), between(random, 2, 4), 3, between(random, 1, 3));
  world.rows = random_rows(random, world.schema, below(random, 400));
  world.epsilon = Epsilon::from_units(between(random, 1, 8'000) * 1'000'000);
  if (below(random, 2) == 0) world.options.limits.grids = between(random, 1, 12);
  if (below(random, 3) == 0) world.options.shares.columns = between(random, 1, 60) * 1'000;
  if (below(random, 10) == 0) world.options.limits.cells = between(random, 2, 10);
  return world;
}

std::vector<std::uint64_t> numbers(const Synopsis& synopsis) {
  std::vector<std::uint64_t> all{synopsis.cell_threshold, synopsis.pool_size,
                                 synopsis.features_in_pool,
                                 static_cast<std::uint64_t>(synopsis.noisy_rows)};
  for (const AttributeIndex pick : synopsis.selected_features) all.push_back(pick.value());
  for (const Synopsis::Axis& axis : synopsis.axes) {
    all.push_back(axis.attribute.value());
    all.push_back(axis.level.value());
  }
  const auto append = [&](const std::vector<std::int64_t>& counts) {
    for (const std::int64_t count : counts) all.push_back(static_cast<std::uint64_t>(count));
  };
  append(synopsis.class_counts);
  append(synopsis.cell_counts);
  for (const Synopsis::SideColumn& column : synopsis.side_columns) {
    all.push_back(column.attribute.value());
    append(column.counts);
  }
  for (const Synopsis::Step& step : synopsis.steps) all.push_back(step.epsilon.units());
  return all;
}

// A row more, anywhere, or one row less: the table with the row comes second.
std::pair<std::vector<Row>, std::vector<Row>> neighbours(Random& random, const World& world) {
  std::vector<Row> more = world.rows;
  const auto at = static_cast<std::ptrdiff_t>(below(random, more.size() + 1));
  more.insert(more.begin() + at, random_row(random, world.schema));
  return {world.rows, more};
}

// How many numbers the mechanisms should have drawn noise for: the classes, every cell of the grid
// and class, every leaf and class of the columns beside it.
std::size_t expected_counts(const World& world, const Synopsis& synopsis) {
  const std::size_t classes = world.schema.class_count();
  std::size_t cells = 1;
  for (const Synopsis::Axis& axis : synopsis.axes) {
    cells *= world.schema[axis.attribute].hierarchy.node_count(axis.level);
  }
  std::size_t counts = classes + cells * classes;
  for (const Synopsis::SideColumn& column : synopsis.side_columns) {
    counts += world.schema[column.attribute].hierarchy.leaf_count() * classes;
  }
  return counts;
}

// The candidate grids that the released numbers and the schema allow, made without any row.
ChosenPool candidates(const World& world, const Synopsis& synopsis) {
  const bool with_features = !synopsis.selected_features.empty();
  const Epsilon histogram =
      plan_budget(world.epsilon, world.options.shares, with_features).value().histogram;
  const PoolLimits& limits = world.options.limits;
  const std::uint64_t cells = cell_threshold(synopsis.noisy_rows, histogram, limits);
  if (with_features) {
    return pool_over_picks(world.schema, synopsis.selected_features, cells, synopsis.noisy_rows,
                           limits);
  }
  GridSpace space(world.schema);
  GridPool pool = fitting_pool(space, cells, synopsis.noisy_rows, limits).value();
  return {std::move(space), std::move(pool)};
}

// What the grid selection must have been asked on these rows: the score of every candidate, in
// order. Grids that differ in any row's cell differ here.
std::vector<std::int64_t> expected_scores(const World& world, const std::vector<Row>& rows,
                                          const Synopsis& synopsis) {
  const ChosenPool chosen = candidates(world, synopsis);
  const Points points =
      group_rows(encoded(world.schema, rows, 64), chosen.space, world.schema.class_count(),
                 usable_levels(chosen.space, chosen.pool.most_cells()), 1);
  const auto step = std::find_if(synopsis.steps.begin(), synopsis.steps.end(),
                                 [](const auto& one) { return one.name == "grid histogram"; });
  const MisclassificationTable excess(step->epsilon.units(), Epsilon::kUnitsPerOne);
  return score_pool(chosen.space, chosen.pool, points, excess, 1);
}

const std::vector<std::int64_t>& asked_for_the_grid(const std::vector<RecordedCall>& calls) {
  return std::find_if(
             calls.rbegin(), calls.rend(),
             [](const RecordedCall& call) { return call.kind == RecordedCall::Kind::kChoice; })
      ->input;
}

const std::set<std::string> kStages = {"class counts", "feature selection", "distinct rows",
                                       "grid scores",  "grid selection",    "grid histogram",
                                       "other columns"};

}  // namespace

TEST_CASE("one row more or less changes what the mechanisms are asked as declared: 2,400 pairs") {
  Random random(1);
  std::size_t with_features = 0;
  std::size_t with_columns = 0;
  std::size_t largest_pool = 0;
  for (std::uint64_t round = 0; round < (kFullPower ? 2'400 : 400); ++round) {
    CAPTURE(round);
    const World world = random_world(random);
    auto [fewer, more] = neighbours(random, world);
    const bool starts_with_more = below(random, 2) == 0;

    SeededBits bits(round);
    RecordingMechanisms recorder(bits);
    const Run first = run(world, starts_with_more ? more : fewer, recorder);
    RecordingMechanisms replay(recorder.calls());
    const Run second = run(world, starts_with_more ? fewer : more, replay);

    const auto& without = starts_with_more ? replay.calls() : recorder.calls();
    const auto& with = starts_with_more ? recorder.calls() : replay.calls();
    REQUIRE(broken_rule(without, with) == "");
    REQUIRE(numbers(first.synopsis) == numbers(second.synopsis));
    REQUIRE(first.stages == second.stages);
    REQUIRE(asked_for_the_grid(without) == expected_scores(world, fewer, first.synopsis));
    REQUIRE(asked_for_the_grid(with) == expected_scores(world, more, first.synopsis));
    for (const std::string& stage : first.stages) CHECK(kStages.contains(stage));

    const Paid amounts = paid(world, recorder, first.synopsis);
    CHECK(amounts.by_calls == world.epsilon);
    CHECK(amounts.by_steps == world.epsilon);

    std::size_t draws = 0;
    for (const RecordedCall& call : recorder.calls()) {
      if (call.kind == RecordedCall::Kind::kCounts) draws += call.input.size();
    }
    CHECK(draws == expected_counts(world, first.synopsis));
    with_features += first.synopsis.selected_features.empty() ? 0 : 1;
    with_columns += first.synopsis.side_columns.empty() ? 0 : 1;
    largest_pool = std::max<std::size_t>(largest_pool, first.synopsis.pool_size);
  }
  if (!kFullPower) return;
  // The worlds are of all kinds.
  CHECK(with_features > 500);
  CHECK(with_columns > 300);
  CHECK(largest_pool > 500);
}

TEST_CASE("the calls and the release's steps sum to what the ledger has debited, exactly") {
  const TemporaryFolder folder;
  Ledger ledger = Ledger::open_or_create(folder / "ledger.db").value();
  REQUIRE(ledger.add_dataset("d", std::nullopt, utc_now()).ok());
  Random random(6);
  Epsilon debited;
  for (std::uint64_t round = 0; round < (kFullPower ? 100 : 20); ++round) {
    CAPTURE(round);
    const World world = random_world(random);
    SeededBits bits(round);
    RecordingMechanisms recorder(bits);
    const Run published = run(world, world.rows, recorder,
                              ledger.withdraw("d", world.epsilon, "publish", utc_now()).value());
    const LedgerHistory history = ledger.history().value();
    const Epsilon debit = history.entries.back().amount.value();
    const Paid amounts = paid(world, recorder, published.synopsis);
    CHECK(amounts.by_calls == debit);
    CHECK(amounts.by_steps == debit);
    debited = debited + debit;
    REQUIRE(history.find("d")->spent == debited);
  }
}

TEST_CASE("the order of the rows changes nothing that a mechanism sees: 1,000 permutations") {
  Random random(2);
  for (const bool with_features : {true, false}) {
    CAPTURE(with_features);
    World world;
    world.schema = random_schema(random, 5, 3);
    world.rows = random_rows(random, world.schema, 120);
    world.epsilon = eps("2");
    if (with_features) world.options.limits.grids = 4;
    world.options.shares.columns = 20'000;
    SeededBits bits(1);
    RecordingMechanisms recorder(bits);
    const Run first = run(world, world.rows, recorder);
    REQUIRE(first.synopsis.selected_features.empty() == !with_features);
    for (int round = 0; round < (kFullPower ? 1'000 : 100); ++round) {
      std::shuffle(world.rows.begin(), world.rows.end(), random);
      RecordingMechanisms replay(recorder.calls());
      const Run again = run(world, world.rows, replay);
      REQUIRE(recorder.calls().size() == replay.calls().size());
      for (std::size_t i = 0; i < replay.calls().size(); ++i) {
        REQUIRE(replay.calls()[i].input == recorder.calls()[i].input);
      }
      REQUIRE(numbers(again.synopsis) == numbers(first.synopsis));
    }
  }
}

TEST_CASE("the number of threads changes nothing that a mechanism sees") {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    World world = random_world(random);
    SeededBits bits(7);
    RecordingMechanisms recorder(bits);
    run(world, world.rows, recorder);
    world.options.threads = 3;
    RecordingMechanisms replay(recorder.calls());
    run(world, world.rows, replay);
    for (std::size_t i = 0; i < replay.calls().size(); ++i) {
      REQUIRE(replay.calls()[i].input == recorder.calls()[i].input);
    }
  }
}

TEST_CASE("an empty table and the least epsilon that is accepted are published like any other") {
  Random random(4);
  for (const bool feature_selection : {false, true}) {
    World world;
    world.schema = random_schema(random, 6, 2);
    if (feature_selection) world.options.limits.grids = 1;
    world.options.shares.columns = 20'000;
    std::uint64_t units = 1;
    while (!check_publish_options(world.options, Epsilon::from_units(units))) ++units;
    world.epsilon = Epsilon::from_units(units);
    SeededBits bits(1);
    RecordingMechanisms recorder(bits);
    const Run published = run(world, {}, recorder);
    CHECK(published.synopsis.cell_counts.size() % 2 == 0);
  }
}

TEST_CASE("attributes that the schema does not use take no part") {
  Random random(5);
  World world;
  world.schema = random_schema(random, 4, 2);
  world.schema.attributes[1].used = false;
  world.rows = random_rows(random, world.schema, 80);
  world.epsilon = eps("3");
  world.options.limits.grids = 3;
  world.options.shares.columns = 20'000;
  SeededBits bits(1);
  RecordingMechanisms recorder(bits);
  const Run published = run(world, world.rows, recorder);
  for (const AttributeIndex pick : published.synopsis.selected_features) CHECK(pick.value() != 1);
  for (const auto& axis : published.synopsis.axes) CHECK(axis.attribute.value() != 1);
  for (const auto& column : published.synopsis.side_columns) CHECK(column.attribute.value() != 1);
}
