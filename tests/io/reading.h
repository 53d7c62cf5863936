#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "privpfc/io/table_reader.h"

namespace privpfc::testing {

// One cell as text, whatever its type; `null` for no value.
inline std::string cell_text(const ColumnView& column, std::size_t row) {
  if (column.validity.is_null(row)) return "null";
  return std::visit(
      [&](const auto& values) -> std::string {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, AllNull>) {
          return "null";
        } else if constexpr (std::is_same_v<Values, BooleanView>) {
          return values[row] ? "true" : "false";
        } else if constexpr (std::is_same_v<Values, DaysView>) {
          return fmt::format("day {}", values.days[row]);
        } else if constexpr (std::is_same_v<Values, DictionaryView>) {
          return cell_text(*values.values, static_cast<std::size_t>(values.indices[row]));
        } else {
          return fmt::format("{}", values[row]);
        }
      },
      column.values);
}

using Rows = std::vector<std::vector<std::string>>;

struct ReadResult {
  Status status;
  Rows rows;  // those before the error, if there is one
};

inline ReadResult read_rows(TableReader& reader, std::vector<std::size_t> columns,
                            unsigned threads = 1) {
  ReadResult result;
  result.status = reader.read(columns, threads, [&](const Batch& batch) -> TableReader::Turn {
    Rows rows(batch.rows);
    for (std::size_t row = 0; row < batch.rows; ++row) {
      for (const ColumnView& column : batch.columns) rows[row].push_back(cell_text(column, row));
    }
    return [&result, rows](const RowPosition&) -> Status {
      result.rows.insert(result.rows.end(), rows.begin(), rows.end());
      return {};
    };
  });
  return result;
}

inline std::vector<std::size_t> all_columns(const TableReader& reader) {
  std::vector<std::size_t> columns(reader.columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

// All cells of all columns; the table must be readable.
inline Rows read_all(const std::vector<std::filesystem::path>& paths, const CsvFormat& csv = {},
                     unsigned threads = 1) {
  auto reader = TableReader::open(paths, csv);
  REQUIRE_MESSAGE(reader.ok(), (reader.ok() ? "" : reader.error().message));
  ReadResult result = read_rows(*reader, all_columns(*reader), threads);
  REQUIRE_MESSAGE(result.status.ok(), (result.status.ok() ? "" : result.status.error().message));
  return std::move(result.rows);
}

// The error of a table that cannot be opened or read to its end.
inline Error read_error(const std::vector<std::filesystem::path>& paths, const CsvFormat& csv = {},
                        const ReaderLimits& limits = {}, unsigned threads = 1) {
  auto reader = TableReader::open(paths, csv, limits);
  if (!reader.ok()) return reader.error();
  const Status status = read_rows(*reader, all_columns(*reader), threads).status;
  REQUIRE_FALSE(status.ok());
  return status.error();
}

// The error is of this kind and says exactly this, after the file's path; and it does not quote the
// cell `marker` that every broken file of these tests has.
inline void check_error(const Error& error, ErrorKind kind, const std::string& message) {
  CHECK(error.kind == kind);
  CHECK(error.message == message);
  CHECK(error.message.find("marker") == std::string::npos);
}

}  // namespace privpfc::testing
