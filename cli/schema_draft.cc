#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "privpfc/base/text_file.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/schema/draft.h"

namespace privpfc::cli {
namespace {

struct DraftOptions {
  std::string data;
  std::string name;
  std::string label;
  std::string answers;
  std::string separator;
  std::string out;
};

DraftColumn draft_column(const InputColumn& column, bool has_types) {
  using Type = DraftColumn::Type;
  if (!has_types) return {column.name, Type::kUnknown};
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

// "0, 119" or "female, male"; nothing for an empty line.
DraftAnswer split_answer(const std::string& line) {
  DraftAnswer answer;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t comma = std::min(line.find(',', begin), line.size());
    std::string part = line.substr(begin, comma - begin);
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) answer.values.push_back(std::move(part));
    begin = comma + 1;
  }
  return answer;
}

// Asks for what is not in the answers yet. An empty line leaves a blank in the draft.
void ask(const std::vector<DraftColumn>& columns, std::string& label, DraftAnswers& answers) {
  fmt::print(stderr,
             "For each column, say what is publicly known: two bounds (0, 119) or all categories "
             "(female, male).\nReturn leaves it blank. No value of the data is read.\n");
  const auto read_line = [](const std::string& prompt) {
    fmt::print(stderr, "{}: ", prompt);
    std::string line;
    std::getline(std::cin, line);
    return line;
  };
  if (label.empty()) label = read_line("Which column is the label");
  for (const DraftColumn& column : columns) {
    if (!needs_answer(column, answers)) continue;
    const bool is_label = column.name == label;
    DraftAnswer answer =
        split_answer(read_line(is_label ? column.name + " (classes)" : column.name));
    if (answer.values.size() >= 2) answers.emplace(column.name, std::move(answer));
  }
}

Status run(DraftOptions options) {
  CsvFormat csv;
  if (!options.separator.empty()) csv.separator = options.separator.front();
  PRIVPFC_ASSIGN(const TableReader reader, TableReader::open({options.data}, csv));
  const bool has_types = reader.format() == FileFormat::kParquet;
  std::vector<DraftColumn> columns;
  for (const InputColumn& column : reader.columns()) {
    columns.push_back(draft_column(column, has_types));
  }
  DraftAnswers answers;
  if (!options.answers.empty()) {
    PRIVPFC_ASSIGN(const std::string text, read_text_file(options.answers, std::size_t{16} << 20));
    PRIVPFC_ASSIGN(answers, read_draft_answers(text));
  } else if (::isatty(STDIN_FILENO) == 1) {
    ask(columns, options.label, answers);
  }
  const bool label_found =
      options.label.empty() ||
      std::any_of(columns.begin(), columns.end(),
                  [&](const DraftColumn& column) { return column.name == options.label; });
  if (!label_found) {
    return make_error(ErrorKind::kUsage, "{} has no column '{}'", options.data, options.label);
  }
  if (options.name.empty()) options.name = std::filesystem::path(options.data).stem().string();
  PRIVPFC_TRY(
      write_output(options.out, draft_schema(options.name, columns, options.label, answers)));
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
      "answers.yaml has one line per column: `age: [0, 119]` or `sex: [female, male]`. On a\n"
      "terminal, and without --answers, you are asked. No value of the data is read.");
  auto options = std::make_shared<DraftOptions>();
  command->add_option("DATA", options->data, "A CSV or Parquet file; only its header is used")
      ->required();
  command->add_option("--label", options->label, "The label's column");
  command->add_option("--answers", options->answers, "Bounds and categories, as YAML");
  command->add_option("--name", options->name, "The schema's name (default: the file's)");
  command->add_option("--separator", options->separator, "Of a CSV file (default: comma)");
  command->add_option("--out", options->out, "A new file (default: standard output)");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
