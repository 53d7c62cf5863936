#include <doctest/doctest.h>

#include <fstream>
#include <random>

#include "pipeline/neighbours.h"
#include "privpfc/pipeline/person_epsilon.h"
#include "privpfc/pipeline/plan.h"
#include "privpfc/pipeline/publish.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/encoder.h"
#include "support/effort.h"
#include "support/recording_mechanisms.h"
#include "support/seeded_bits.h"
#include "support/stops.h"
#include "support/temporary_folder.h"
#include "support/test_budget.h"

using namespace privpfc;

// A promise to a person: their rows are capped, and epsilon is divided among them.

namespace {

Schema schema_with(std::size_t most_rows) {
  const std::string person =
      most_rows == 0 ? "" : "person: {column: id, most_rows: " + std::to_string(most_rows) + "}\n";
  return *read_schema_text(
              "name: t\nlabel: {column: y, classes: [n, p, q]}\n" + person +
              "attributes:\n"
              "  a: {type: integer, domain: [0, 9], levels: [10, 5], missing: [\"\"]}\n"
              "  b: {type: categorical, tree: {G: [s, t], u: }, other: true}\n"
              "  c: {type: boolean, missing: [\"\"]}\n")
              .schema;
}

struct Visit {
  std::size_t person;
  std::string line;
};

// Persons with few rows and with very many, in any order.
std::vector<Visit> random_visits(std::mt19937& random) {
  std::vector<Visit> visits;
  const std::size_t count = random() % 300;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t person = random() % 4 == 0 ? random() % 3 : random() % 100;
    visits.push_back({person, std::to_string(random() % 10) + "," + "stuv"[random() % 4] + "," +
                                  (random() % 2 == 0 ? "true" : "false") + "," +
                                  "npq"[random() % 3]});
  }
  return visits;
}

std::vector<Visit> without(const std::vector<Visit>& visits, std::size_t person) {
  std::vector<Visit> rest;
  for (const Visit& visit : visits) {
    if (visit.person != person) rest.push_back(visit);
  }
  return rest;
}

EncodedTable read_table(const Schema& schema, const std::vector<Visit>& visits) {
  const TemporaryFolder folder;
  std::string csv = "id,a,b,c,y\n";
  for (const Visit& visit : visits) csv += std::to_string(visit.person) + "," + visit.line + "\n";
  std::ofstream(folder / "t.csv") << csv;
  auto reader = TableReader::open({folder / "t.csv"});
  REQUIRE(reader.ok());
  const auto encoder = Encoder::create(schema, reader->columns());
  REQUIRE(encoder.ok());
  return encode_table(*reader, *encoder, 2).value();
}

Synopsis publish_for_persons(const Schema& schema, const std::vector<Visit>& visits,
                             const PublishOptions& options, Epsilon promised,
                             RecordingMechanisms& mechanisms) {
  return publish(Private<EncodedTable>(read_table(schema, visits)), schema, options, mechanisms,
                 budget_for_rows(TestBudget::of(promised), schema), [](std::string_view) {})
      .value();
}

}  // namespace

TEST_CASE(
    "a person more or less changes what the mechanisms are asked by most_rows rows: 400 pairs") {
  std::mt19937 random(1);
  std::size_t at_the_bound = 0;
  for (std::uint64_t round = 0; round < (kFullPower ? 400 : 60); ++round) {
    CAPTURE(round);
    const std::size_t most_rows = 1 + random() % 5;
    const Schema schema = schema_with(most_rows);
    const Epsilon promised = Epsilon::from_units(1'000'000 * (1 + random() % 8'000) + random() % 7);
    PublishOptions options;
    if (random() % 2 == 0) options.limits.grids = 1 + random() % 12;
    if (random() % 3 == 0) options.shares.columns = 20'000;
    const std::vector<Visit> all = random_visits(random);
    const std::vector<Visit> rest = without(all, random() % 3);
    SeededBits bits(round);
    RecordingMechanisms recorder(bits);
    const Synopsis released = publish_for_persons(schema, rest, options, promised, recorder);
    RecordingMechanisms replay(recorder.calls());
    publish_for_persons(schema, all, options, promised, replay);
    REQUIRE(broken_rule(recorder.calls(), replay.calls(), static_cast<std::int64_t>(most_rows)) ==
            "");
    // The first call counts classes: it sees every kept row once.
    std::int64_t more = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      more += replay.calls()[0].input[c] - recorder.calls()[0].input[c];
    }
    at_the_bound += more == static_cast<std::int64_t>(most_rows) ? 1 : 0;

    const Epsilon row = row_epsilon(schema, promised).value();
    CHECK(recorder.spent() <= row);  // columns that are not there cost nothing but are paid for
    Epsilon steps;
    for (const Synopsis::Step& step : released.steps) steps = steps + step.epsilon;
    CHECK(steps == row);
    CHECK(most_rows * steps.units() <= promised.units());
  }
  CHECK(at_the_bound > (kFullPower ? 200 : 30));
}

TEST_CASE(
    "a row has the most_rows-th part of epsilon, rounded down, and all where nobody is named") {
  CHECK(row_epsilon(schema_with(0), eps("1")).value() == eps("1"));
  CHECK(row_epsilon(schema_with(1), eps("1")).value() == eps("1"));
  CHECK(row_epsilon(schema_with(3), eps("1")).value() == eps("0.333333333"));
  CHECK(row_epsilon(schema_with(3), eps("0.000000003")).value() == eps("0.000000001"));
  CHECK(row_epsilon(schema_with(1000), eps("1000")).value() == eps("1"));
  const auto too_small = row_epsilon(schema_with(3), eps("0.000000002"));
  REQUIRE_FALSE(too_small.ok());
  CHECK(too_small.error().kind == ErrorKind::kUsage);
  CHECK(too_small.error().message.find("most_rows") != std::string::npos);
}

TEST_CASE("the mechanisms get what a row may have; a delta is for persons of one row alone") {
  CHECK(budget_for_rows(TestBudget::of("1"), schema_with(3)).epsilon() == eps("0.333333333"));
  CHECK(budget_for_rows(TestBudget::of("1"), schema_with(0)).epsilon() == eps("1"));
  const Delta delta = Delta::parse("0.000001").value();
  for (const std::size_t most_rows : {std::size_t{0}, std::size_t{1}}) {
    const Budget whole = budget_for_rows(TestBudget::of(eps("1"), delta), schema_with(most_rows));
    CHECK(whole.epsilon() == eps("1"));
    CHECK(whole.delta() == delta);
    CHECK(check_rows_of_delta(schema_with(most_rows), delta).ok());
  }
  CHECK(check_rows_of_delta(schema_with(2), Delta()).ok());
  CHECK_FALSE(check_rows_of_delta(schema_with(2), delta).ok());
  CHECK(
      stops_the_program([&] { budget_for_rows(TestBudget::of(eps("1"), delta), schema_with(2)); }));
}

TEST_CASE("what is refused of a row's epsilon says that it is a part of a person's") {
  const PublishOptions options;
  const auto refusal = [&](std::size_t most_rows) {
    const Schema schema = schema_with(most_rows);
    const Epsilon promised = eps("0.000001");
    return explain_row_epsilon(
        check_publish_options(options, row_epsilon(schema, promised).value()), schema, promised);
  };
  REQUIRE_FALSE(refusal(100).ok());
  CHECK(refusal(100).error().message.find("promised to a person") != std::string::npos);
  REQUIRE_FALSE(refusal(0).ok());
  CHECK(refusal(0).error().message.find("person") == std::string::npos);
}

TEST_CASE("a plan for persons is the plan of a row's epsilon") {
  const PublishOptions options;
  const auto plan = [&](std::size_t most_rows, const char* epsilon) {
    return plan_release(schema_with(most_rows), 1000, eps(epsilon), options.shares, options.limits)
        .value();
  };
  const ReleasePlan person = plan(4, "2");
  const ReleasePlan row = plan(0, "0.5");
  CHECK(person.epsilon == eps("2"));
  CHECK(person.row_epsilon == row.epsilon);
  CHECK(person.most_cells == row.most_cells);
  CHECK(person.noise_per_count == row.noise_per_count);
  CHECK(person.visible_rows == row.visible_rows);
  CHECK(person.noise_per_count > plan(0, "2").noise_per_count);
}
