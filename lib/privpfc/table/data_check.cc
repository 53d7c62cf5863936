#include "privpfc/table/data_check.h"

#include <memory>

#include "privpfc/table/column_match.h"

namespace privpfc {

namespace {

ColumnReport report_of(const Attribute& attribute) {
  ColumnReport report{.name = attribute.name, .is_date = attribute.kind == AttributeKind::kDate};
  const auto declare = [&](Note note, bool declared) {
    report.declared[static_cast<std::size_t>(note)] = declared;
  };
  declare(Note::kMissing, attribute.missing_declared);
  declare(Note::kUnlisted, attribute.other_declared);
  declare(Note::kOutOfRange, attribute.outside != Outside::kNearestBin);
  return report;
}

ColumnReport report_of(const Label& label, std::string name) {
  ColumnReport report{.name = std::move(name), .is_label = true};
  report.declared[static_cast<std::size_t>(Note::kMissing)] = label.other_declared;
  report.declared[static_cast<std::size_t>(Note::kUnlisted)] = label.other_declared;
  return report;
}

void count(const std::vector<Note>& notes, const RowPosition& position, ColumnReport& report) {
  for (std::size_t row = 0; row < notes.size(); ++row) {
    if (notes[row] == Note::kFine) [[likely]]
      continue;
    Tally& tally = report.tallies[static_cast<std::size_t>(notes[row])];
    ++tally.count;
    if (tally.first_rows.size() < kShownRows) {
      tally.first_rows.push_back({position.file, position.first_row + row + 1});
    }
  }
}

}  // namespace

bool DataReport::is_clean() const {
  if (!missing_columns.empty() || !undeclared_columns.empty()) return false;
  for (const ColumnReport& column : columns) {
    for (std::size_t note = 1; note < kNoteCount; ++note) {
      if (column.tallies[note].count > 0 && !column.declared[note]) return false;
    }
  }
  return true;
}

UnreadValues unread_values(const DataReport& report) {
  UnreadValues unread;
  for (const ColumnReport& column : report.columns) {
    std::uint64_t values = 0;
    for (std::size_t note = 1; note < kNoteCount; ++note) {
      if (!column.declared[note] || column.is_label) values += column.tallies[note].count;
    }
    unread.values += values;
    if (values > 0) ++unread.columns;
  }
  return unread;
}

DataReport start_report(const Schema& schema, const Encoder& encoder,
                        std::span<const InputColumn> columns) {
  DataReport report;
  for (std::size_t i = 0; i < encoder.input_attributes().size(); ++i) {
    const auto attribute = encoder.input_attributes()[i];
    report.columns.push_back(
        attribute ? report_of(schema[*attribute])
                  : report_of(schema.label, columns[encoder.input_columns()[i]].name));
  }
  return report;
}

void add_notes(const BatchNotes& notes, std::size_t rows, const RowPosition& position,
               DataReport& report) {
  report.rows += rows;
  for (std::size_t i = 0; i < notes.size(); ++i) count(notes[i], position, report.columns[i]);
}

Result<DataReport> check_data(const Schema& schema, TableReader& reader, unsigned threads) {
  const ColumnMatch match = match_columns(schema, reader.columns());
  std::vector<std::string> undeclared;
  if (match.header_recognised || match.missing.empty()) undeclared = match.undeclared;
  if (!match.missing.empty()) {
    return DataReport{.missing_columns = match.missing,
                      .undeclared_columns = std::move(undeclared),
                      .advice = match.advice};
  }
  PRIVPFC_ASSIGN(const Encoder encoder,
                 Encoder::create(schema, reader.columns(), {.ignore_extra_columns = true}));
  DataReport report = start_report(schema, encoder, reader.columns());
  report.undeclared_columns = std::move(undeclared);
  std::optional<PersonCap> cap;
  if (const auto most_rows = encoder.most_rows_of_a_person()) cap.emplace(*most_rows);
  const auto look = [&](const Batch& batch) -> TableReader::Turn {
    auto notes = std::make_shared<BatchNotes>();
    encoder.encode(batch, *notes);
    auto persons = std::make_shared<const PersonKeys>(cap ? encoder.persons(batch) : PersonKeys());
    return
        [&report, &cap, notes, persons, rows = batch.rows](const RowPosition& position) -> Status {
          add_notes(*notes, rows, position, report);
          if (cap) cap->keep(*persons);
          return {};
        };
  };
  PRIVPFC_TRY(reader.read(encoder.input_columns(), threads, look));
  if (cap) report.person = {cap->persons(), cap->rows_beyond(), cap->rows_without_id()};
  return report;
}

}  // namespace privpfc
