#include "privpfc/schema/draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "privpfc/schema/interval.h"
#include "privpfc/schema/schema_writer.h"

namespace privpfc {
namespace {

// Halving levels, at most 16 bins: a start that the curator can refine.
std::string equal_widths(AttributeKind kind, const DraftAnswer& answer) {
  double values = 16;
  if (is_whole(kind)) {
    values = *parse_value(answer.values[1], kind) - *parse_value(answer.values[0], kind) + 1;
  }
  std::vector<int> levels;
  for (int bins = 16; bins >= 2; bins /= 2) {
    if (bins <= values) levels.push_back(bins);
  }
  return fmt::format("[{}]", fmt::join(levels, ", "));
}

std::string quoted_list(const std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const std::string& value : values) quoted.push_back(yaml_text(value));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

// A position is a bare number; a name made of digits is quoted.
std::string position_or_name(const DraftColumn& column) {
  return column.by_position ? column.name : yaml_text(column.name);
}

// `age: {`, or `column-3: {column: 3, ` where there is no name to take.
std::string attribute_start(const DraftColumn& column) {
  if (!column.by_position) return yaml_text(column.name) + ": {";
  return fmt::format("column-{0}: {{column: {0}, ", column.name);
}

bool is_ignored(const DraftColumn& column, const DraftAnswers& answers) {
  const auto found = answers.find(column.name);
  return found != answers.end() && found->second.ignored;
}

std::string ignored_columns(const std::vector<DraftColumn>& columns, const DraftAnswers& answers) {
  std::vector<std::string> names;
  bool has_blanks = false;
  for (const DraftColumn& column : columns) {
    if (is_ignored(column, answers)) names.push_back(column.name);
    has_blanks = has_blanks || needs_answer(column, answers);
  }
  std::string text;
  if (has_blanks) {
    text =
        "# A column that is not to be read (a person's name or number) is moved from the "
        "attributes\n"
        "# to a list of its own: ignore: [name].\n";
  }
  if (!names.empty()) text += fmt::format("ignore: {}\n", quoted_list(names));
  return text;
}

std::string draft_attribute(const DraftColumn& column, const DraftAnswers& answers) {
  const std::string start = attribute_start(column);
  const auto found = answers.find(column.name);
  if (found != answers.end()) {
    if (const auto kind = bounded_kind(column, found->second)) {
      return fmt::format("  {}type: {}, domain: [{}, {}], levels: {}, missing: [\"\", NA]}}\n",
                         start, kind_name(*kind), found->second.values[0], found->second.values[1],
                         equal_widths(*kind, found->second));
    }
    return fmt::format("  {}type: categorical, values: {}, missing: [\"\", NA], other: true}}\n",
                       start, quoted_list(found->second.values));
  }
  switch (column.type) {
    case DraftColumn::Type::kBoolean:
      return fmt::format("  {}type: boolean, missing: [\"\"]}}\n", start);
    case DraftColumn::Type::kInteger:
    case DraftColumn::Type::kReal:
    case DraftColumn::Type::kDate: {
      const AttributeKind kind = column.type == DraftColumn::Type::kInteger
                                     ? AttributeKind::kInteger
                                 : column.type == DraftColumn::Type::kReal ? AttributeKind::kReal
                                                                           : AttributeKind::kDate;
      return fmt::format(
          "  # Fill in the public bounds.\n"
          "  {}type: {}, domain: [ ], levels: [16, 8, 4, 2], missing: [\"\", NA]}}\n",
          start, kind_name(kind));
    }
    case DraftColumn::Type::kText:
      return fmt::format(
          "  # Fill in the categories, flat (values: [a, b]) or in groups (tree: {{g: [a, b]}}).\n"
          "  {}type: categorical, values: [ ], missing: [\"\", NA], other: true}}\n",
          start);
    case DraftColumn::Type::kUnknown:
      break;
  }
  return fmt::format(
      "  # Fill in: type: integer, real or date with domain: [low, high] and levels: [16, 8, 4, "
      "2];\n"
      "  # type: categorical with values: [a, b, c]; or type: boolean. Where values may be "
      "missing,\n"
      "  # say how that is written: missing: [\"\", NA].\n"
      "  {}type: }}\n",
      start);
}

}  // namespace

std::string draft_schema(const std::string& name, const CsvFormat& csv,
                         const std::vector<DraftColumn>& columns, const std::string& label_column,
                         const DraftAnswers& answers) {
  std::string text = fmt::format(
      "# Drafted from column names and types and from what you said; no value was read.\n"
      "name: {}\n{}",
      yaml_text(name), write_csv_format(csv));
  const auto label = std::find_if(columns.begin(), columns.end(), [&](const DraftColumn& column) {
    return column.name == label_column;
  });
  const auto classes = answers.find(label_column);
  if (label == columns.end()) {
    text += "# Fill in the label: its column (then remove it below) and its classes.\n";
  } else if (classes == answers.end()) {
    text += "# Fill in the classes.\n";
  }
  text += fmt::format("label: {{column: {}, classes: {}}}\n",
                      label == columns.end() ? "" : position_or_name(*label),
                      classes == answers.end() ? "[ ]" : quoted_list(classes->second.values));
  if (!csv.header) {
    text += "# The file names no columns: call them what you like, and leave each its position.\n";
  }
  text += ignored_columns(columns, answers);
  text += "attributes:\n";
  for (const DraftColumn& column : columns) {
    if (column.name != label_column && !is_ignored(column, answers)) {
      text += draft_attribute(column, answers);
    }
  }
  return text;
}

}  // namespace privpfc
