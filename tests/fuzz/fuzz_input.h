#pragma once

#include <filesystem>
#include <vector>

#include "privpfc/io/table_reader.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/data_check.h"
#include "privpfc/table/encoder.h"
#include "scratch_folder.h"

namespace privpfc::fuzz {

inline constexpr const char* kSchema = R"(
name: fuzz
label: {column: y, classes: [n, p], other: p}
attributes:
  i: {type: integer, domain: [0, 99], levels: [10], missing: ["?", "-1"]}
  r: {type: real, domain: [0, 1], levels: [300], missing: [], other: true, outside: other}
  d: {type: date, domain: [2000-01-01, 2020-12-31], levels: [4], missing: []}
  c: {type: categorical, values: [a, b, "1"], other: true}
  b: {type: boolean}
)";

// Every code is one of the schema's.
inline void check_codes(const EncodedTable& table, const Schema& schema) {
  for (const EncodedBatch& batch : table.batches()) {
    for (std::size_t a = 0; a < schema.attributes.size(); ++a) {
      const std::size_t leaves = schema.attributes[a].hierarchy.leaf_count();
      std::visit(
          [&](const auto& codes) {
            for (const auto code : codes) check(code < leaves);
          },
          batch.attribute(AttributeIndex(a)));
    }
    for (const std::uint8_t code : batch.classes) check(code < schema.class_count());
  }
}

// All codes of a table, attribute by attribute and the classes last, however it came in batches.
inline std::vector<std::vector<std::uint16_t>> columns_of(const EncodedTable& table,
                                                          const Schema& schema) {
  std::vector<std::vector<std::uint16_t>> columns(schema.attributes.size() + 1);
  for (const EncodedBatch& batch : table.batches()) {
    for (std::size_t a = 0; a < schema.attributes.size(); ++a) {
      std::visit(
          [&](auto codes) { columns[a].insert(columns[a].end(), codes.begin(), codes.end()); },
          batch.attribute(AttributeIndex(a)));
    }
    columns.back().insert(columns.back().end(), batch.classes.begin(), batch.classes.end());
  }
  return columns;
}

// Opens, reads and encodes. A table that was read once must read the same again with more threads.
inline void read_and_encode(const std::filesystem::path& path, const CsvFormat& csv) {
  static const Schema schema = *read_schema_text(kSchema).schema;
  // Small limits: what is large is slow here, and finds nothing more.
  const ReaderLimits limits{
      .memory = 32 << 20, .columns = 64, .row_bytes = 1 << 20, .rows = 100'000};
  auto reader = TableReader::open({path}, csv, limits);
  if (!reader.ok()) return;
  const auto encoder = Encoder::create(schema, reader->columns(), {.ignore_extra_columns = true});
  if (!encoder.ok()) {
    // Not the schema's columns: decode whatever is there.
    std::vector<std::size_t> columns(reader->columns().size());
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = i;
    const Status status = reader->read(columns, 1, [](const Batch&) -> TableReader::Turn {
      return [](const RowPosition&) { return Status(); };
    });
    check(status.ok() || !status.error().message.empty());
    return;
  }
  const auto once = encode_table(*reader, *encoder, 1);
  const auto again = encode_table(*reader, *encoder, 2);
  check(once.ok() == again.ok());
  if (!once.ok()) return;
  check_codes(*once, schema);
  check(once->rows() == again->rows());
  check(columns_of(*once, schema) == columns_of(*again, schema));
}

}  // namespace privpfc::fuzz
