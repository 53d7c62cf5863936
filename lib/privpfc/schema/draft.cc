#include "privpfc/schema/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "privpfc/schema/interval.h"
#include "privpfc/schema/number_text.h"
#include "privpfc/schema/schema_writer.h"
#include "privpfc/schema/yaml_document.h"

namespace privpfc {
namespace {

// Two numbers or two dates are bounds, unless the column is known to hold text.
std::optional<AttributeKind> kind_of_bounds(const DraftColumn& column, const DraftAnswer& answer) {
  if (answer.values.size() != 2 || column.type == DraftColumn::Type::kText) return std::nullopt;
  const auto both = [&](AttributeKind kind) {
    return parse_value(answer.values[0], kind) && parse_value(answer.values[1], kind);
  };
  const bool is_real = column.type == DraftColumn::Type::kReal;
  if (!is_real && both(AttributeKind::kInteger)) return AttributeKind::kInteger;
  if (both(AttributeKind::kReal)) return AttributeKind::kReal;
  if (both(AttributeKind::kDate)) return AttributeKind::kDate;
  return std::nullopt;
}

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

std::string draft_attribute(const DraftColumn& column, const DraftAnswers& answers) {
  const std::string start = attribute_start(column);
  const auto found = answers.find(column.name);
  if (found != answers.end()) {
    if (const auto kind = kind_of_bounds(column, found->second)) {
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
      "  # Fill in: type: integer or real with domain: [low, high] and levels: [16, 8, 4, 2],\n"
      "  # or type: categorical with values: [a, b, c].\n"
      "  {}type: }}\n",
      start);
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t") + 1;
  return text.substr(begin, end > begin ? end - begin : 0);
}

}  // namespace

std::optional<std::size_t> first_unlikely_name(const std::vector<DraftColumn>& columns) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string_view name = without_blanks(columns[i].name);
    if (name.empty() || name == "?" || parse_number(name) || parse_date(name) ||
        !seen.insert(name).second) {
      return i + 1;
    }
  }
  return std::nullopt;
}

bool needs_answer(const DraftColumn& column, const DraftAnswers& answers) {
  return column.type != DraftColumn::Type::kBoolean && !answers.contains(column.name);
}

Result<DraftAnswers> read_draft_answers(std::string_view yaml) {
  Findings findings;
  const auto root = read_yaml(yaml, YamlLimits{}, findings);
  if (root && findings.empty() && !root->is_map()) {
    findings.push_back({Severity::kError, root->at, "expected one line per column: age: [0, 119]"});
  }
  DraftAnswers answers;
  for (std::size_t i = 0; findings.empty() && i < root->keys.size(); ++i) {
    DraftAnswer answer;
    for (const YamlNode& item : root->items[i].items) {
      if (item.is_scalar()) answer.values.push_back(item.scalar);
    }
    if (!root->items[i].is_sequence() || answer.values.size() != root->items[i].items.size() ||
        answer.values.size() < 2) {
      findings.push_back({Severity::kError, root->keys[i].at,
                          fmt::format("'{}' should be [low, high] or a list of at least two "
                                      "categories",
                                      root->keys[i].scalar)});
    }
    answers.emplace(root->keys[i].scalar, std::move(answer));
  }
  if (findings.empty()) return answers;
  return make_error(ErrorKind::kSchema, "answers, line {}, column {}: {}", findings[0].at.line,
                    findings[0].at.column, findings[0].message);
}

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
  text += "attributes:\n";
  for (const DraftColumn& column : columns) {
    if (column.name != label_column) text += draft_attribute(column, answers);
  }
  return text;
}

}  // namespace privpfc
