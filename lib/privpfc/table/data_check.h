#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/table/coded.h"
#include "privpfc/table/encoder.h"

namespace privpfc {

// A row of the data: row 1 is the first one below the header of its file.
struct RowNumber {
  std::size_t file = 0;  // index into TableReader::files()
  std::uint64_t row = 0;
  friend bool operator==(const RowNumber&, const RowNumber&) = default;
};

// How often something was noticed in one column, and where first.
struct Tally {
  std::uint64_t count = 0;
  std::vector<RowNumber> first_rows;
};

struct ColumnReport {
  std::string name;  // the attribute's, or the label's column
  bool is_label = false;
  bool is_date = false;                     // what is "not a number" elsewhere is no date here
  std::array<Tally, kNoteCount> tallies{};  // by Note; kFine is not counted
  // By Note: the schema says where such values go, so that they are no surprise.
  std::array<bool, kNoteCount> declared{};

  const Tally& operator[](Note note) const { return tallies[static_cast<std::size_t>(note)]; }
};

// What a declared cap on a person's rows does.
struct PersonReport {
  std::uint64_t persons = 0;
  std::uint64_t rows_beyond = 0;      // left out: the person has most_rows already
  std::uint64_t rows_without_id = 0;  // left out too
};

// A strict look at the data against the schema. It counts real rows and tells where they are: for
// the curator's eyes only, never part of a release.
struct DataReport {
  std::uint64_t rows = 0;
  std::vector<std::string> missing_columns;     // then no row was read
  std::vector<std::string> undeclared_columns;  // refused or ignored
  std::vector<ColumnReport> columns;
  std::optional<PersonReport> person;  // where the schema declares one; all as it should be

  // Nothing that the schema does not provide for. Undeclared columns count unless ignored.
  bool is_clean(bool ignore_extra_columns) const;
};

inline constexpr std::size_t kShownRows = 5;

// Uses the encoder itself, so that the report cannot disagree with what publishing does.
Result<DataReport> check_data(const Schema& schema, TableReader& reader, unsigned threads);

}  // namespace privpfc
