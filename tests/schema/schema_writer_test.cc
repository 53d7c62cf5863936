#include "privpfc/schema/schema_writer.h"

#include <doctest/doctest.h>

#include <string>

#include "privpfc/schema/schema_reader.h"

using namespace privpfc;

namespace {

const std::string kEverything = R"(
name: everything
description: "a: b, with \"quotes\" and ünïcode"
source: made up
csv: {header: true, separator: ";", quote: none}
label: {column: y, classes: ["<=50K", "yes", null-like], aliases: {"yes": [Y]}, other: "yes"}
person: {column: "7", most_rows: 1000}
ignore: [fold, "1"]
attributes:
  i: {type: integer, domain: [17, 90], levels: [16, 8, 4, 2], missing: [NA]}
  edge: {type: integer, domain: [0, 3], intervals: {"0": [0, 0], rest: {"1": [1, 1], two: [2, 2], "3": [3, 3]}}}
  last: {type: integer, domain: [0, 3], intervals: {"[0, 2]": , "[3, 3]": }}
  r: {type: real, domain: [0, 1], levels: [10, 5], other: true, outside: other}
  c: {type: real, domain: [-1, 1], cuts: [-0.5, 0.1], closed: right, column: other-name}
  whole: {type: integer, domain: [0, 9], cuts: [[2, 4, 6, 8], [4, 6], [4]]}
  u: {type: real, domain: [0, 20], intervals: {low: {"(0, 1]": , "(1, 5]": }, "(5, 20]": }}
  d: {type: date, domain: [2020-01-01, 2024-12-31], cuts: [2021-01-01, 2022-01-01]}
  o: {type: ordinal, values: [low, mid, high], description: "in order", other: mid}
  t: {type: categorical, missing: ["?", ""], tree: {A: {B: [c, "d e"], f: }, G: {H: [h]}, "true": , "1": }}
  q: {type: categorical, values: ["null", "it's", "a\"b", " pad ", "*x", "- y", "#z"], aliases: {" pad ": [pad]}, other: "null"}
  b: {type: boolean, use: false, aliases: {"true": [si]}, other: "true"}
  m: {type: integer, domain: [0, 9], cuts: [5], missing: {leaf: {new: unknown}}, other: unknown, outside: missing}
)";

}  // namespace

TEST_CASE("a written schema reads back as the same schema, and is written the same again") {
  const SchemaReading first = read_schema_text(kEverything);
  REQUIRE_MESSAGE(first.schema, (first.findings.empty() ? "" : first.findings.front().message));
  const std::string text = write_schema(*first.schema);
  CAPTURE(text);
  const SchemaReading second = read_schema_text(text);
  REQUIRE_MESSAGE(second.schema, (second.findings.empty() ? "" : second.findings.front().message));
  for (std::size_t i = 0; i < first.schema->attributes.size(); ++i) {
    CAPTURE(first.schema->attributes[i].name);
    CHECK(second.schema->attributes[i] == first.schema->attributes[i]);
  }
  CHECK(*second.schema == *first.schema);
  CHECK(write_schema(*second.schema) == text);
}

TEST_CASE("a person is part of the schema: its column and its rows change the hash") {
  const std::string head = "name: t\nlabel: {column: y, classes: [a, b]}\n";
  const std::string attributes = "attributes:\n  x: {type: boolean}\n";
  const auto schema = [&](const std::string& person) {
    return *read_schema_text(head + person + attributes).schema;
  };
  const Schema three = schema("person: {column: id, most_rows: 3}\n");
  CHECK(three == schema("person:\n  most_rows: 3\n  column: id\n"));
  for (const char* other :
       {"", "person: {column: id, most_rows: 4}\n", "person: {column: di, most_rows: 3}\n"}) {
    CAPTURE(other);
    CHECK_FALSE(three == schema(other));
    CHECK(schema_hash(three) != schema_hash(schema(other)));
  }
}

TEST_CASE("comments, order of keys and layout do not change the hash; a category does") {
  const std::string head = "name: t\nlabel: {column: y, classes: [a, b]}\nattributes:\n";
  const auto hash = [&](const std::string& attribute) {
    return schema_hash(*read_schema_text(head + attribute).schema);
  };
  const std::string plain = hash("  x: {type: categorical, values: [p, q], other: p}\n");
  CHECK(hash("  # note\n  x:\n    other: p\n    values: [p, q]\n    type: categorical\n") == plain);
  CHECK(hash("  x: {type: categorical, values: [p, r], other: p}\n") != plain);
}
