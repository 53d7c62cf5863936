#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/temp_dir.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/encoder.h"

namespace privpfc::testing {

inline Schema schema_of(std::string_view yaml) {
  SchemaReading reading = read_schema_text(yaml);
  for (const Finding& finding : reading.findings) {
    INFO(format_finding(finding, "schema"));
    CHECK(finding.severity != Severity::kError);
  }
  REQUIRE(reading.schema.has_value());
  return *reading.schema;
}

// One attribute `a`, described by `attribute`, and a label that plays no part.
inline Schema schema_with(const std::string& attribute) {
  return schema_of("name: t\nlabel: {column: y, classes: [n, p]}\nattributes: {a: " + attribute +
                   "}\n");
}

inline std::vector<std::size_t> codes_of(const EncodedBatch& batch, std::size_t attribute) {
  std::vector<std::size_t> codes;
  std::visit([&](const auto& view) { codes.assign(view.begin(), view.end()); },
             batch.attribute(AttributeIndex(attribute)));
  return codes;
}

// The labels of the leaves to which the values of one column go.
inline std::vector<std::string> leaves_of(const Schema& schema, const ColumnView& column,
                                          ColumnType type) {
  const std::vector<std::string_view> labels(column.rows, "n");
  const Batch batch{
      column.rows, {column, {column.rows, std::span<const std::string_view>(labels)}}, {}};
  const auto encoder =
      Encoder::create(schema, std::vector<InputColumn>{{"a", type}, {"y", ColumnType::kText}});
  REQUIRE_MESSAGE(encoder.ok(), (encoder.ok() ? "" : encoder.error().message));
  std::vector<std::string> leaves;
  for (const std::size_t code : codes_of(encoder->encode(batch), 0)) {
    leaves.push_back(schema.attributes[0].hierarchy.leaf_label(LeafIndex(code)));
  }
  return leaves;
}

inline std::vector<std::string> leaves_of_texts(const Schema& schema,
                                                const std::vector<std::string_view>& texts) {
  return leaves_of(schema, {texts.size(), std::span<const std::string_view>(texts)},
                   ColumnType::kText);
}

template <typename Number>
std::vector<std::string> leaves_of_numbers(const Schema& schema,
                                           const std::vector<Number>& numbers) {
  return leaves_of(schema, {numbers.size(), std::span<const Number>(numbers)},
                   std::is_integral_v<Number> ? ColumnType::kInteger : ColumnType::kReal);
}

}  // namespace privpfc::testing
