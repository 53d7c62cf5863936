#include "privpfc/schema/schema_reader.h"

#include <doctest/doctest.h>

#include <string>

using namespace privpfc;

namespace {

Attribute read_one(const std::string& description) {
  const SchemaReading reading = read_schema_text(
      "name: t\nlabel: {column: y, classes: [a, b]}\nattributes:\n  x: " + description + "\n");
  for (const Finding& finding : reading.findings) CAPTURE(finding.message);
  REQUIRE_MESSAGE(reading.schema,
                  (reading.findings.empty() ? "" : reading.findings.front().message));
  return reading.schema->attributes.front();
}

std::vector<std::size_t> node_counts(const Attribute& attribute) {
  std::vector<std::size_t> counts;
  for (std::size_t level = 0; level < attribute.hierarchy.level_count(); ++level) {
    counts.push_back(attribute.hierarchy.node_count(LevelIndex(level)));
  }
  return counts;
}

using Counts = std::vector<std::size_t>;
using Edges = std::vector<double>;

}  // namespace

TEST_CASE("the example of the documentation is read as it says") {
  const SchemaReading reading = read_schema_text(R"(
name: adult
label: {column: income, classes: ["<=50K", ">50K"]}
attributes:
  age:        {type: integer, domain: [17, 90], levels: [16, 8, 4, 2]}
  capital-gain: {type: integer, domain: [0, 99999], cuts: [[0, 1, 5000, 10000, 20000, 40000, 99999], [0, 1, 20000]]}
  workclass:
    type: categorical
    missing: ["?", ""]
    tree: {Worked: {With-pay: {Gov: [State-gov, Federal-gov, Local-gov], Private: , Self-emp: [a, b]}, Without-pay: }, Never-worked: }
)");
  REQUIRE(reading.schema);
  const Schema& schema = *reading.schema;
  CHECK(schema.label.classes == std::vector<std::string>{"<=50K", ">50K"});
  CHECK(node_counts(schema.attributes[0]) == Counts{1, 2, 4, 8, 16});
  CHECK(node_counts(schema.attributes[1]) == Counts{1, 3, 6});
  CHECK(schema.attributes[1].bins->edges == Edges{0, 1, 5000, 10000, 20000, 40000, 100000});
  CHECK(node_counts(schema.attributes[2]) == Counts{1, 3, 4, 6, 9});
  CHECK(schema.attributes[2].has_missing_leaf);
  CHECK(schema.attributes[2].hierarchy.leaf_label(schema.attributes[2].missing_leaf) == "missing");
}

TEST_CASE("equal widths of whole numbers share them out without gap") {
  const Attribute age = read_one("{type: integer, domain: [17, 90], levels: [16, 8], other: true}");
  REQUIRE(age.bins->count() == 16);
  CHECK(age.bins->edges.front() == 17);
  CHECK(age.bins->edges.back() == 91);
  for (std::size_t i = 0; i < 16; ++i) {
    const double width = age.bins->edges[i + 1] - age.bins->edges[i];
    CHECK((width == 4 || width == 5));
  }
  CHECK(age.hierarchy.leaf_label(LeafIndex()) == "[17, 20]");
  CHECK(age.has_other_leaf);
}

TEST_CASE("reals, closed on either side") {
  const Attribute left = read_one("{type: real, domain: [0, 1], levels: [4, 2]}");
  CHECK(left.bins->edges == Edges{0, 0.25, 0.5, 0.75, 1});
  CHECK_FALSE(left.bins->holds_upper_end);
  CHECK(left.hierarchy.leaf_label(LeafIndex(std::size_t{3})) == "[0.75, 1]");
  const Attribute right = read_one("{type: real, domain: [0, 1], cuts: [0.5], closed: right}");
  CHECK(right.bins->holds_upper_end);
  CHECK(right.hierarchy.leaf_label(LeafIndex()) == "[0, 0.5]");
  CHECK(right.hierarchy.leaf_label(LeafIndex(std::size_t{1})) == "(0.5, 1]");
}

TEST_CASE("whole-number cuts, closed on either side") {
  CHECK(read_one("{type: integer, domain: [0, 9], cuts: [3, 6]}").bins->edges ==
        Edges{0, 3, 6, 10});
  CHECK(read_one("{type: integer, domain: [0, 9], cuts: [3, 6], closed: right}").bins->edges ==
        Edges{0, 4, 7, 10});
}

TEST_CASE("every level of cuts has the bins it names, also where it leaves a group whole") {
  const Attribute x =
      read_one("{type: integer, domain: [0, 9], cuts: [[2, 4, 6, 8], [4, 6], [4]]}");
  CHECK(node_counts(x) == Counts{1, 2, 3, 5});
  CHECK(x.hierarchy.label(LevelIndex(std::size_t{2}), NodeIndex(std::size_t{0})) == "[0, 3]");
}

TEST_CASE("named intervals and interval notation, in any order, uneven in depth") {
  const Attribute age = read_one(
      "{type: integer, domain: [15, 95], intervals: {\"(14, 55]\": {\"(35, 55]\": , \"(14, 35]\": "
      "{\"(25, 35]\": , \"(14, 25]\": }}, \"(55, 95]\": }}");
  CHECK(age.bins->edges == Edges{15, 26, 36, 56, 96});
  CHECK(node_counts(age) == Counts{1, 2, 3, 4});
  CHECK(age.hierarchy.leaf_label(LeafIndex()) == "(14, 25]");

  const Attribute named = read_one(
      "{type: integer, domain: [0, 119], intervals: {young: [0, 17], adult: {early: [18, 39], "
      "late: "
      "[40, 119]}}}");
  CHECK(named.bins->edges == Edges{0, 18, 40, 120});
  CHECK(named.hierarchy.leaf_label(LeafIndex(std::size_t{1})) == "early");

  const Attribute real =
      read_one("{type: real, domain: [0, 20], intervals: {\"(0.0, 10.0]\": , \"(10.0, 20.0]\": }}");
  CHECK(real.bins->holds_upper_end);
  CHECK(real.bins->edges == Edges{0, 10, 20});
}

TEST_CASE("dates are days") {
  const Attribute date =
      read_one("{type: date, domain: [1970-01-01, 1970-12-31], cuts: [1970-02-01]}");
  CHECK(date.bins->edges == Edges{0, 31, 365});
  CHECK(date.hierarchy.leaf_label(LeafIndex()) == "[1970-01-01, 1970-01-31]");
}

TEST_CASE("buckets: a new leaf, an existing leaf, one for both, or none") {
  const Attribute added =
      read_one("{type: categorical, values: [a, b], missing: [\"?\"], other: true}");
  CHECK(added.hierarchy.leaf_count() == 4);
  CHECK(added.value_leaf_count() == 2);
  CHECK(added.missing_leaf == LeafIndex(std::size_t{2}));
  CHECK(added.other_leaf == LeafIndex(std::size_t{3}));

  const Attribute existing = read_one(
      "{type: categorical, values: [a, b], missing: {values: [\"?\"], leaf: b}, other: a}");
  CHECK(existing.hierarchy.leaf_count() == 2);
  CHECK(existing.missing_leaf == LeafIndex(std::size_t{1}));
  CHECK(existing.other_leaf == LeafIndex(std::size_t{0}));

  const Attribute shared = read_one(
      "{type: integer, domain: [0, 9], cuts: [5], missing: {leaf: {new: unknown}}, other: unknown, "
      "outside: other}");
  CHECK(shared.hierarchy.leaf_count() == 3);
  CHECK(shared.missing_leaf == shared.other_leaf);
  CHECK(shared.value_leaf_count() == 2);
  CHECK(shared.outside == Outside::kOther);

  const Attribute none = read_one("{type: boolean}");
  CHECK(none.missing_leaf == LeafIndex());
  CHECK_FALSE(none.missing_declared);
}

TEST_CASE("for numbers a bucket may be named by a value in its bin") {
  const Attribute left = read_one("{type: real, domain: [0, 9], cuts: [3, 6], other: 3}");
  CHECK(left.other_leaf == LeafIndex(std::size_t{1}));
  const Attribute right =
      read_one("{type: real, domain: [0, 9], cuts: [3, 6], closed: right, other: 3}");
  CHECK(right.other_leaf == LeafIndex(std::size_t{0}));
  const Attribute ends =
      read_one("{type: integer, domain: [0, 9], cuts: [5], missing: {leaf: 9}, other: 0}");
  CHECK(ends.missing_leaf == LeafIndex(std::size_t{1}));
  CHECK(ends.other_leaf == LeafIndex(std::size_t{0}));
  CHECK_FALSE(ends.has_missing_leaf);
}

TEST_CASE("aliases, and numbers as categories") {
  const Attribute attribute =
      read_one("{type: ordinal, values: [1, 2, more], aliases: {more: [\"5more\", 3]}}");
  CHECK(attribute.kind == AttributeKind::kOrdinal);
  REQUIRE(attribute.spellings.size() == 5);
  CHECK(attribute.spellings[2] == std::pair(std::string("3"), LeafIndex(std::size_t{2})));
}

TEST_CASE("columns by position, csv format, label with a default class") {
  const SchemaReading reading = read_schema_text(R"(
name: uci
csv: {header: false, separator: ", ", skip: 1}
label: {column: 3, classes: [no, "yes"], aliases: {no: ["no."]}, other: "yes"}
ignore: [fold, 5]
attributes:
  a: {type: boolean, column: 1, other: "false"}
  b: {type: boolean, column: 2, use: false, other: "false"}
)");
  REQUIRE(reading.schema);
  CHECK(reading.findings.empty());
  CHECK(reading.schema->label.column == ColumnRef(std::size_t{2}));
  CHECK(reading.schema->label.other_class == ClassIndex(std::size_t{1}));
  CHECK(reading.schema->label.spellings.size() == 3);
  CHECK(reading.schema->csv.space_after_separator);
  CHECK_FALSE(reading.schema->csv.header);
  CHECK(reading.schema->csv.skip_lines == 1);
  CHECK(reading.schema->csv.columns == 5);
  CHECK_FALSE(reading.schema->attributes[1].used);
}
