#include "privpfc/schema/hierarchy_exchange.h"

#include <doctest/doctest.h>

#include <string>

#include "privpfc/schema/schema_reader.h"

using namespace privpfc;

namespace {

std::vector<std::size_t> node_counts(const Attribute& attribute) {
  std::vector<std::size_t> counts;
  for (std::size_t level = 0; level < attribute.hierarchy.level_count(); ++level) {
    counts.push_back(attribute.hierarchy.node_count(LevelIndex(level)));
  }
  return counts;
}

using Counts = std::vector<std::size_t>;

}  // namespace

TEST_CASE("nested JSON: intervals make a numeric attribute, in any order") {
  const auto attributes = import_nested_json(R"({
    "gain": {"(-1.0, 40.0]": {"(-1.0, 20.0]": {"(10.0, 20.0]": {}, "(-1.0, 10.0]": {}}, "(20.0, 40.0]": {}}},
    "part": {"(0.0, 1.5]": {"(0.0, 0.5]": {}, "(0.5, 1.5]": {}}},
    "work": {"Any": {"Gov": {"State": {}, "Federal": {}}, "Private": {}}}})");
  REQUIRE_MESSAGE(attributes.ok(), (attributes.ok() ? "" : attributes.error().message));
  REQUIRE(attributes->size() == 3);
  CHECK((*attributes)[0].kind == AttributeKind::kInteger);
  CHECK((*attributes)[0].bins->edges == std::vector<double>{0, 11, 21, 41});
  CHECK(node_counts((*attributes)[0]) == Counts{1, 2, 3});
  CHECK((*attributes)[1].kind == AttributeKind::kReal);
  CHECK((*attributes)[1].bins->holds_upper_end);
  CHECK((*attributes)[2].kind == AttributeKind::kCategorical);
  CHECK(node_counts((*attributes)[2]) == Counts{1, 2, 3});
}

TEST_CASE("nested JSON that is no hierarchy is refused with a reason") {
  struct Case {
    std::string json, words;
  };
  for (const Case& c : {
           Case{"", "not valid JSON"},
           Case{"{\n\"a\": {\n]}", "not valid JSON from line 3 on"},
           Case{R"({"a": 1e999})", "not valid JSON"},
           Case{"[]", "expected {\"attribute\""},
           Case{R"({"a": {"x": {}, "x": {}}})", "'x' stands twice"},
           Case{R"({"a": {"g": {"x": {}}, "h": {"x": {}}}})", "'x' stands twice"},
           Case{R"({"a": {"(0, 5]": {}, "(6, 9]": {}}})", "gap"},
           Case{R"({"a": {}})", "it has no value"},
           Case{R"({"a": 5})", "expected nested objects"},
           Case{R"({"a": {"x": [1]}})", "texts only"},
       }) {
    CAPTURE(c.json);
    const auto attributes = import_nested_json(c.json);
    REQUIRE_FALSE(attributes.ok());
    CHECK(attributes.error().message.find(c.words) != std::string::npos);
  }
  std::string deep = "{\"a\": ";
  for (int i = 0; i < 200; ++i) deep += "{\"x" + std::to_string(i) + "\": ";
  CHECK_FALSE(import_nested_json(deep).ok());
}

TEST_CASE("ARX CSV: values with their groups, repeated names mean an early leaf") {
  const auto work = import_arx_csv(
      "State-gov;Gov;With-pay;*\r\nFederal-gov;Gov;With-pay;*\nPrivate;Private;With-pay;*\n"
      "\"No;pay\";\"No;pay\";\"No;pay\";*\n",
      "work", ';');
  REQUIRE_MESSAGE(work.ok(), (work.ok() ? "" : work.error().message));
  CHECK(node_counts(*work) == Counts{1, 2, 3, 4});
  CHECK(work->hierarchy.leaf_label(LeafIndex(std::size_t{3})) == "No;pay");
}

TEST_CASE("ARX CSV: consecutive numbers are an integer, scattered ones are codes") {
  const auto age = import_arx_csv("1,low,*\n2,low,*\n3,high,*\n4,high,*\n", "age", ',');
  REQUIRE(age.ok());
  CHECK(age->kind == AttributeKind::kInteger);
  CHECK(node_counts(*age) == Counts{1, 2, 4});
  const auto code = import_arx_csv("1,a,*\n5,a,*\n9,b,*\n", "code", ',');
  REQUIRE(code.ok());
  CHECK(code->kind == AttributeKind::kCategorical);
}

TEST_CASE("ARX CSV: a last column that is not the same everywhere is a level, not the root") {
  const auto work = import_arx_csv("State;Gov\nFederal;Gov\nOwn;Private\n", "work", ';');
  REQUIRE(work.ok());
  CHECK(node_counts(*work) == Counts{1, 2, 3});
  CHECK(work->hierarchy.label(LevelIndex(std::size_t{1}), NodeIndex(std::size_t{0})) == "Gov");
}

TEST_CASE("ARX CSV that is no hierarchy is refused with a reason") {
  CHECK_FALSE(import_arx_csv("", "a", ';').ok());
  CHECK(import_arx_csv("x;g;*\ny;*\n", "a", ';').error().message.find("line 2 has 2 columns") !=
        std::string::npos);
  CHECK(import_arx_csv("x;g;*\nx;h;*\n", "a", ';').error().message.find("lines 1 and 2") !=
        std::string::npos);
  CHECK(import_arx_csv("x;g;*\ng;g;*\n", "a", ';').error().message.find("name of a group") !=
        std::string::npos);
  CHECK_FALSE(import_arx_csv("\"x;g;*\n", "a", ';').ok());
  CHECK(import_arx_csv("x,g,*\ny,g,*\n", "a", ';').error().message.find("separated by ';'") !=
        std::string::npos);
}

TEST_CASE("messages of an import tell of no line that is not in the file") {
  const std::string json =
      import_nested_json(R"({"a": {"g": {"x": {}}, "h": {"x": {}}}})").error().message;
  CHECK(json == "'a' cannot be imported: 'x' stands twice in the hierarchy");
  CHECK(import_nested_json(R"({"a": {"g": ["x", "x"]}})").error().message == json);
  CHECK(import_arx_csv("x;g;h;*\ny;g;k;*\n", "a", ';').error().message ==
        "'a' cannot be imported: 'g' stands twice in the hierarchy");
}

TEST_CASE("numbers beside leaves for missing and other values stay numbers") {
  const SchemaReading reading = read_schema_text(R"(
name: t
label: {column: y, classes: [a, b]}
attributes:
  part: {type: real, domain: [0, 1], cuts: [0.5], missing: [NA]}
  age: {type: integer, domain: [0, 7], levels: [4, 2], missing: [""], other: true}
  seen: {type: date, domain: [2020-01-01, 2020-12-31], levels: [4, 2], other: true}
  named: {type: date, domain: [2020-01-01, 2020-12-31], intervals: {h1: [2020-01-01, 2020-06-30], h2: [2020-07-01, 2020-12-31]}, other: h1}
)");
  REQUIRE(reading.schema);
  const auto& attributes = reading.schema->attributes;
  const auto json = import_nested_json(export_nested_json(*reading.schema));
  REQUIRE_MESSAGE(json.ok(), (json.ok() ? "" : json.error().message));
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(attributes[i].name);
    CHECK((*json)[i].kind == attributes[i].kind);
    CHECK((*json)[i].hierarchy == attributes[i].hierarchy);
    CHECK((*json)[i].bins == attributes[i].bins);
    CHECK(lost_in_json(attributes[i]) == std::nullopt);
  }
  CHECK(lost_in_json(attributes[3]).value_or("").find("bins have names") != std::string::npos);
  Attribute whole = attributes[0];
  whole.bins->edges = {0, 1, 2};
  CHECK(lost_in_json(whole).value_or("").find("whole numbers") != std::string::npos);
  for (const std::size_t i : {1U, 2U, 3U}) {
    const auto arx = import_arx_csv(*export_arx_csv(attributes[i], ';'), "x", ';');
    REQUIRE_MESSAGE(arx.ok(), (arx.ok() ? "" : arx.error().message));
    CHECK(arx->kind == attributes[i].kind);
  }
}

TEST_CASE("the leaf that makes numbers into categories can be named") {
  const auto imported = import_nested_json(
      R"({"a": {"(0, 5]": {}, "(5, 9]": {}, "none": {}}, "b": {"x": {}, "y": {}}, "c": {"[0, 4]": {}, "[5, 9]": {}}})");
  REQUIRE(imported.ok());
  CHECK(leaf_that_is_no_number((*imported)[0]) == "none");
  CHECK(leaf_that_is_no_number((*imported)[1]) == std::nullopt);
  CHECK(leaf_that_is_no_number((*imported)[2]) == std::nullopt);
}

TEST_CASE("what is exported can be imported again") {
  const SchemaReading reading = read_schema_text(R"(
name: t
label: {column: y, classes: [a, b]}
attributes:
  age: {type: integer, domain: [0, 7], levels: [4, 2]}
  work: {type: categorical, tree: {With-pay: {Gov: [State, Federal], Private: }, "No;pay": }}
  part: {type: real, domain: [0, 1], cuts: [0.5]}
)");
  REQUIRE(reading.schema);
  const auto json = import_nested_json(export_nested_json(*reading.schema));
  REQUIRE_MESSAGE(json.ok(), (json.ok() ? "" : json.error().message));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK((*json)[i].hierarchy == reading.schema->attributes[i].hierarchy);
    CHECK((*json)[i].bins == reading.schema->attributes[i].bins);
  }
  const auto work_csv = export_arx_csv(reading.schema->attributes[1], ';');
  REQUIRE(work_csv.ok());
  CHECK(*work_csv ==
        "State;Gov;With-pay;*\nFederal;Gov;With-pay;*\nPrivate;Private;With-pay;*\n"
        "\"No;pay\";\"No;pay\";\"No;pay\";*\n");
  const auto work = import_arx_csv(*work_csv, "work", ';');
  REQUIRE(work.ok());
  CHECK(work->hierarchy == reading.schema->attributes[1].hierarchy);
  const auto age = import_arx_csv(*export_arx_csv(reading.schema->attributes[0], ';'), "age", ';');
  REQUIRE(age.ok());
  CHECK(age->kind == AttributeKind::kInteger);
  CHECK(node_counts(*age) == Counts{1, 2, 4, 8});
  CHECK_FALSE(export_arx_csv(reading.schema->attributes[2], ';').ok());
}
