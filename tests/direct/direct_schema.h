#pragma once

#include "privpfc/schema/schema_reader.h"

namespace privpfc {

// A made-up schema with every kind of attribute that matters to a learner: numbers of both signs,
// one of two values, categories with and without a leaf for what is missing, one unused.
inline Schema direct_schema() {
  const SchemaReading reading = read_schema_text(R"(
name: made-up
label: {column: outcome, classes: [no, maybe, "yes"]}
attributes:
  age: {type: integer, domain: [17, 90], levels: [8, 4, 2], missing: [""]}
  balance: {type: real, domain: [-5, 2.5], levels: [6, 3], missing: [""]}
  flag: {type: integer, domain: [0, 1], levels: [2], other: 0}
  colour: {type: categorical, missing: ["", "?"], tree: {Warm: [red, orange], Cold: [blue]}}
  ward: {type: categorical, other: a, tree: [a, b]}
  note: {type: categorical, use: false, tree: [x, y]}
)");
  std::string mistakes;
  for (const Finding& finding : reading.findings) mistakes += format_finding(finding, "schema");
  require(reading.schema.has_value(), mistakes.c_str());
  return *reading.schema;
}

}  // namespace privpfc
