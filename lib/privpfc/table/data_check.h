#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
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
  std::vector<std::string> missing_columns{};     // then no row was read
  std::vector<std::string> undeclared_columns{};  // to be refused or ignored
  std::string advice{};                           // what to look at where columns are missing
  std::vector<ColumnReport> columns{};
  std::optional<PersonReport> person{};  // where the schema declares one; all as it should be

  // Nothing that the schema does not provide for. Undeclared columns count.
  bool is_clean() const;
};

inline constexpr std::size_t kShownRows = 5;

// Values that the schema declares no place for, in all columns together; and labels that are none
// of the classes, also where one is declared for them: as truth to learn from they mislead.
struct UnreadValues {
  std::uint64_t values = 0;
  std::size_t columns = 0;  // that have some
};
UnreadValues unread_values(const DataReport& report);

// A report about no rows yet: of the columns that the encoder reads.
DataReport start_report(const Schema& schema, const Encoder& encoder,
                        std::span<const InputColumn> columns);
// Adds what was noticed in some rows. In the order of the rows.
void add_notes(const BatchNotes& notes, std::size_t rows, const RowPosition& position,
               DataReport& report);

// Uses the encoder itself, so that the report cannot disagree with what publishing does.
Result<DataReport> check_data(const Schema& schema, TableReader& reader, unsigned threads);

}  // namespace privpfc
