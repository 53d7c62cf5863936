#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/base/shown_text.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/data_check.h"

namespace privpfc::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::vector<std::string> paths;
  std::string schema;
  bool ignore_extra_columns = false;
  unsigned threads = 0;
  bool json = false;
};

const char* name_of(Note note, const ColumnReport& column) {
  switch (note) {
    case Note::kFine:
      return "fine";
    case Note::kMissing:
      return "missing";
    case Note::kNotANumber:
      return column.is_date ? "not a date" : "not a number";
    case Note::kFraction:
      return "fraction";
    case Note::kOutOfRange:
      return "out of range";
    case Note::kUnlisted:
      return column.is_label ? "unknown class" : "unknown value";
  }
  return "";
}

// Calls `visit` for everything that was noticed, column by column.
template <typename Visit>
void for_each_finding(const DataReport& report, Visit visit) {
  for (const ColumnReport& column : report.columns) {
    for (std::size_t i = 1; i < kNoteCount; ++i) {
      if (column.tallies[i].count > 0) visit(column, static_cast<Note>(i), column.tallies[i]);
    }
  }
}

std::string row_list(const Tally& tally, const std::vector<std::filesystem::path>& files) {
  std::string list;
  std::size_t file = files.size();
  for (const RowNumber& row : tally.first_rows) {
    if (!list.empty()) list += ", ";
    if (files.size() > 1 && row.file != file) list += files[row.file].filename().string() + ":";
    file = row.file;
    list += fmt::format("{}", row.row);
  }
  if (tally.count > tally.first_rows.size()) list += ", ...";
  return list;
}

std::string text_of(const PersonReport& person) {
  return fmt::format(
      "{} person{}; of the rows, {} would be left out because their person has enough without "
      "them, and {} because they have no id.\n",
      person.persons, person.persons == 1 ? "" : "s", person.rows_beyond, person.rows_without_id);
}

std::string text_of(const DataReport& report, const std::vector<std::filesystem::path>& files) {
  std::string text = "FOR YOUR EYES ONLY: this report is about real rows; do not publish it.\n\n";
  for (const std::string& name : report.missing_columns) {
    text += fmt::format("column '{}': named by the schema, not in the data\n", name);
  }
  for (const std::string& name : report.undeclared_columns) {
    text += fmt::format("column '{}': in the data, not named by the schema\n", shown_text(name));
  }
  if (!report.missing_columns.empty()) {
    return text +
           fmt::format("\nNo rows were read, because columns are missing: {}.\n", report.advice);
  }
  std::size_t width = 6;
  bool any = false;
  for_each_finding(report, [&](const ColumnReport& column, Note, const Tally&) {
    width = std::max(width, column.name.size());
    any = true;
  });
  if (any) {
    text +=
        fmt::format("{:<{}}  {:<13}  {:>12}     first rows\n", "column", width, "finding", "count");
  }
  for_each_finding(report, [&](const ColumnReport& column, Note note, const Tally& tally) {
    const bool declared = column.declared[static_cast<std::size_t>(note)];
    text +=
        fmt::format("{:<{}}  {:<13}  {:>12}  {}  {}\n", column.name, width, name_of(note, column),
                    tally.count, declared ? ' ' : '!', row_list(tally, files));
  });
  if (any) text += "\n! marks values for which the schema declares no place of their own.\n";
  text += fmt::format("{} row{} read.\n", report.rows, report.rows == 1 ? "" : "s");
  if (report.person) text += text_of(*report.person);
  return text;
}

Json json_of(const DataReport& report, bool clean,
             const std::vector<std::filesystem::path>& files) {
  Json findings = Json::array();
  for_each_finding(report, [&](const ColumnReport& column, Note note, const Tally& tally) {
    Json rows = Json::array();
    for (const RowNumber& row : tally.first_rows) {
      rows.push_back({{"file", files[row.file].string()}, {"row", row.row}});
    }
    findings.push_back({{"column", column.name},
                        {"finding", name_of(note, column)},
                        {"count", tally.count},
                        {"declared", column.declared[static_cast<std::size_t>(note)]},
                        {"first_rows", std::move(rows)}});
  });
  Json json{{"for_your_eyes_only", true},
            {"clean", clean},
            {"rows", report.rows},
            {"missing_columns", report.missing_columns},
            {"undeclared_columns", report.undeclared_columns},
            {"findings", std::move(findings)}};
  if (report.person) {
    json["person"] = {{"persons", report.person->persons},
                      {"rows_beyond_most_rows", report.person->rows_beyond},
                      {"rows_without_id", report.person->rows_without_id}};
  }
  return json;
}

Status check(const CheckOptions& options) {
  PRIVPFC_ASSIGN(const Schema schema, load_schema(options.schema));
  PRIVPFC_ASSIGN(TableReader reader,
                 TableReader::open({options.paths.begin(), options.paths.end()}, schema.csv));
  PRIVPFC_ASSIGN(DataReport report, check_data(schema, reader, options.threads));
  if (options.ignore_extra_columns) report.undeclared_columns.clear();
  const bool clean = report.is_clean();
  PRIVPFC_TRY(write_output("", options.json ? printed_json(json_of(report, clean, reader.files()))
                                            : text_of(report, reader.files())));
  if (clean) return {};
  return make_error(ErrorKind::kData, "the data does not keep to the schema; see the report");
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "check", "Check data against its schema, strictly; for the curator's eyes only",
      "privpfc check patients.parquet --schema clinic.yaml\n\n"
      "Counts, per column, what the schema does not provide for, and tells the first rows of each\n"
      "(row 1 is the first below the header), never a value. Commands that publish put such "
      "values\n"
      "where docs/schema.md says, without a word.\n\n"
      "Exit codes: 0 the data keeps to the schema, 3 it does not or cannot be read, 4 the schema\n"
      "has mistakes, 6 unreadable file, 7 a limit was passed.");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("DATA", options->paths, "CSV or Parquet files, or directories of them")
      ->required();
  command->add_option("--schema", options->schema, "Schema file (YAML)")->required();
  command->add_flag("--ignore-extra-columns", options->ignore_extra_columns,
                    "Columns that the schema does not name are no finding");
  command->add_option("--threads", options->threads, "Threads to use (default: one per core)")
      ->check(CLI::Range(1U, 1024U));
  command->add_flag("--json", options->json, "The report as JSON on standard output");
  command->callback([&action, options] { action = [options] { return check(*options); }; });
}

}  // namespace privpfc::cli
