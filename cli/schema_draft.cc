#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "draft_questions.h"
#include "output.h"
#include "privpfc/base/shown_text.h"
#include "privpfc/base/text_file.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/schema/draft.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/unlikely_name.h"

namespace privpfc::cli {
namespace {

namespace fs = std::filesystem;

struct DraftOptions {
  std::string data;
  std::string name;
  std::string label;
  std::string answers;
  std::string separator;  // empty: as the file's name says
  bool no_header = false;
  bool header = false;
  std::string out;
};

// Parquet columns only: CSV has no types.
DraftColumn typed_column(const InputColumn& column) {
  using Type = DraftColumn::Type;
  switch (column.type) {
    case ColumnType::kInteger:
      return {column.name, Type::kInteger};
    case ColumnType::kReal:
      return {column.name, Type::kReal};
    case ColumnType::kBoolean:
      return {column.name, Type::kBoolean};
    case ColumnType::kDate:
      return {column.name, Type::kDate};
    case ColumnType::kText:
      return {column.name, Type::kText};
    case ColumnType::kNull:
      break;
  }
  return {column.name, Type::kUnknown};
}

constexpr const char* kSeparatorHint = " Name it: --separator ';' or --separator '\\t'";
constexpr const char* kNoHeaderHint =
    "; if the first line is data, say --no-header, and columns are known by their positions";

// The header is read here and nothing else. A first line that has names missing or twice may well
// be data, whatever the reader says of it.
Result<TableReader> open_table(const std::string& path, CsvFormat csv) {
  auto reader = TableReader::open({path}, csv);
  if (reader.ok() || !csv.header) return reader;
  Error error = reader.error();
  csv.header = false;
  if (TableReader::open({path}, csv).ok()) error.message += kNoHeaderHint;
  return error;
}

// Refuses a first line that may be a private row, without showing it.
Status check_names(const std::string& path, const std::vector<DraftColumn>& columns) {
  std::vector<std::string> names;
  for (const DraftColumn& column : columns) names.push_back(column.name);
  const auto unlikely = first_unlikely_name(names);
  if (!unlikely) return {};
  if (unlikely->doubt == NameDoubt::kSeparator) {
    return make_error(ErrorKind::kData,
                      "{}: column {} has another separator within its name; is the separator "
                      "right?{}; if it is a name, say --header",
                      path, unlikely->position, kSeparatorHint);
  }
  return make_error(ErrorKind::kData,
                    "{}: column {} has {} in the first line{}; if it is a name, say --header", path,
                    unlikely->position,
                    unlikely->doubt == NameDoubt::kRepeated ? "the name of another column"
                                                            : "no name but what looks like a value",
                    kNoHeaderHint);
}

Result<std::vector<DraftColumn>> read_columns(const DraftOptions& options, const CsvFormat& csv,
                                              const TableReader& reader) {
  std::vector<DraftColumn> columns;
  if (reader.format() == FileFormat::kParquet) {
    if (options.no_header) {
      return make_error(ErrorKind::kUsage, "{} is a Parquet file: it names its columns",
                        options.data);
    }
    for (const InputColumn& column : reader.columns()) columns.push_back(typed_column(column));
    return columns;
  }
  for (const InputColumn& column : reader.columns()) {
    columns.push_back({column.name, DraftColumn::Type::kUnknown, !csv.header});
  }
  if (options.header) return columns;
  if (columns.size() == 1) {
    return make_error(ErrorKind::kData,
                      "{}: the first line has one column; is the separator right?{}{}",
                      options.data, kSeparatorHint,
                      csv.header ? "; if there is but one column, say --header" : "");
  }
  if (csv.header) PRIVPFC_TRY(check_names(options.data, columns));
  return columns;
}

bool has_column(const std::vector<DraftColumn>& columns, const std::string& name) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const DraftColumn& column) { return column.name == name; });
}

Result<DraftAnswers> read_answers(const std::string& path, const std::string& label,
                                  const std::vector<DraftColumn>& columns) {
  PRIVPFC_ASSIGN(const std::string text, read_text_file(path, std::size_t{16} << 20));
  PRIVPFC_ASSIGN(DraftAnswers answers, read_draft_answers(text));
  std::vector<std::string> unknown;
  for (const auto& [name, answer] : answers) {
    if (!has_column(columns, name)) unknown.push_back("'" + name + "'");
  }
  if (!unknown.empty()) {
    return make_error(ErrorKind::kSchema, "{}: the data has no column {}", path,
                      fmt::join(unknown, ", "));
  }
  for (const DraftColumn& column : columns) {
    const auto found = answers.find(column.name);
    if (found == answers.end()) continue;
    if (const auto problem = answer_problem(column, column.name == label, found->second)) {
      return make_error(ErrorKind::kSchema, "{}: '{}': {}", path, shown_text(column.name),
                        shown_text(*problem));
    }
  }
  return answers;
}

Status run(DraftOptions options) {
  CsvFormat csv;
  csv.header = !options.no_header;
  if (options.separator.empty()) {
    options.separator = fs::path(options.data).extension() == ".tsv" ? "\t" : ",";
  }
  if (!set_separator(options.separator, csv)) {
    return make_error(ErrorKind::kUsage,
                      "--separator should be one character (\\t is a tab), or one character and a "
                      "space");
  }
  PRIVPFC_ASSIGN(const TableReader reader, open_table(options.data, csv));
  PRIVPFC_ASSIGN(const std::vector<DraftColumn> columns, read_columns(options, csv, reader));
  if (reader.format() == FileFormat::kParquet) csv = {};
  DraftAnswers answers;
  if (!options.answers.empty()) {
    PRIVPFC_ASSIGN(answers, read_answers(options.answers, options.label, columns));
  } else if (::isatty(STDIN_FILENO) == 1) {
    ask_about_columns(columns, options.label, answers);
  }
  if (!options.label.empty() && !has_column(columns, options.label)) {
    return make_error(ErrorKind::kUsage, "{} has no column '{}'{}", options.data, options.label,
                      columns.size() == 1 ? ", and only one; is the separator right?" : "");
  }
  if (options.name.empty()) options.name = fs::path(options.data).stem().string();
  PRIVPFC_TRY(
      write_output(options.out, draft_schema(options.name, csv, columns, options.label, answers)));
  const auto blanks = std::count_if(columns.begin(), columns.end(), [&](const DraftColumn& column) {
    return needs_answer(column, answers);
  });
  if (blanks > 0) {
    fmt::print(stderr,
               "{} of {} columns are left for you to fill in; `privpfc schema lint` says "
               "where.\n",
               blanks, columns.size());
  }
  return {};
}

}  // namespace

void add_schema_draft(CLI::App& schema, Action& action) {
  CLI::App* command = add_command(
      schema, "draft",
      "Start a schema from a file's column names and types, and from what you know",
      "privpfc schema draft clinic.parquet --label outcome --answers answers.yaml --out "
      "clinic.yaml\n\n"
      "answers.yaml has one line per column: `age: [0, 119]`, `sex: [female, male]` or\n"
      "`name: ignore`. On a terminal, and without --answers, you are asked. No value of the data "
      "is read: the first\n"
      "line of a CSV file is taken for the column names, and refused where it looks like data. "
      "For\n"
      "a file without that line say --no-header, and call columns by their positions, from 1:\n"
      "`--label 15`, and `1: [0, 119]` among the answers.");
  auto options = std::make_shared<DraftOptions>();
  command->add_option("DATA", options->data, "A CSV or Parquet file; only its header is used")
      ->required();
  command->add_option("--label", options->label, "The label's column");
  command->add_option("--answers", options->answers, "Bounds and categories, as YAML");
  command->add_option("--name", options->name, "The schema's name (default: the file's)");
  command->add_option("--separator", options->separator,
                      "Of a CSV file: a character (\\t: a tab), or one and a space (default: a "
                      "tab for .tsv, otherwise a comma)");
  CLI::Option* no_header = command->add_flag("--no-header", options->no_header,
                                             "The CSV file's first line is data, not names");
  command
      ->add_flag("--header", options->header, "The first line is names, though they look like data")
      ->excludes(no_header);
  command->add_option("--out", options->out, "A new file (default: standard output)");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
