#include "privpfc/schema/draft_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "privpfc/schema/interval.h"
#include "privpfc/schema/number_text.h"
#include "privpfc/schema/yaml_document.h"

namespace privpfc {
namespace {

constexpr std::string_view kIgnore = "ignore";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r") + 1;
  return text.substr(begin, end > begin ? end - begin : 0);
}

std::string_view without_ends(std::string_view text, char first, char last) {
  const bool has_both = text.size() >= 2 && text.front() == first && text.back() == last;
  return has_both ? without_blanks(text.substr(1, text.size() - 2)) : text;
}

// `10.0` says that there are fractions, though it is a whole number itself.
bool is_written_whole(const std::string& text) {
  return text.find_first_of(".eE") == std::string::npos;
}

bool is_number_or_date(const std::string& text) {
  return parse_number(text) || parse_date(text);
}

DraftAnswer answer_of(const YamlNode& node) {
  DraftAnswer answer;
  answer.ignored = node.is_scalar() && node.scalar == kIgnore;
  for (const YamlNode& item : node.items) {
    if (node.is_sequence() && item.is_scalar()) answer.values.push_back(item.scalar);
  }
  if (answer.values.size() != node.items.size()) answer.values.clear();  // there are nested ones
  return answer;
}

}  // namespace

std::optional<AttributeKind> bounded_kind(const DraftColumn& column, const DraftAnswer& answer) {
  if (answer.values.size() != 2 || column.type == DraftColumn::Type::kText) return std::nullopt;
  const auto both = [&](AttributeKind kind) {
    return parse_value(answer.values[0], kind) && parse_value(answer.values[1], kind);
  };
  const bool may_be_whole =
      column.type == DraftColumn::Type::kInteger ||
      (column.type != DraftColumn::Type::kReal && is_written_whole(answer.values[0]) &&
       is_written_whole(answer.values[1]));
  if (may_be_whole && both(AttributeKind::kInteger)) return AttributeKind::kInteger;
  if (both(AttributeKind::kReal)) return AttributeKind::kReal;
  if (both(AttributeKind::kDate)) return AttributeKind::kDate;
  return std::nullopt;
}

std::optional<std::string> answer_problem(const DraftColumn& column, bool is_label,
                                          const DraftAnswer& answer) {
  if (answer.ignored) {
    if (is_label) return "the label cannot be ignored";
    return std::nullopt;
  }
  const std::vector<std::string>& values = answer.values;
  if (values.size() < 2) {
    return is_label ? "a label has at least two classes"
                    : "expected two bounds, at least two categories, or the word ignore";
  }
  if (!is_label) {
    if (const auto kind = bounded_kind(column, answer)) {
      if (*parse_value(values[0], *kind) < *parse_value(values[1], *kind)) return std::nullopt;
      return "of two bounds the lower one comes first";
    }
    // `0,5 - 10` has a decimal comma in it.
    if (values.size() == 2 && column.type != DraftColumn::Type::kText &&
        is_number_or_date(values[0]) != is_number_or_date(values[1])) {
      return "one is a number and the other is not: bounds are two numbers with a decimal point "
             "(0.5, 10)";
    }
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& value : values) {
    if (!seen.insert(value).second) return fmt::format("'{}' is there twice", value);
  }
  return std::nullopt;
}

DraftAnswer parse_answer_line(std::string_view line) {
  DraftAnswer answer;
  line = without_ends(without_blanks(line), '[', ']');
  answer.ignored = line == kIgnore;
  if (answer.ignored) return answer;
  std::size_t begin = 0;
  while (begin <= line.size()) {
    const std::size_t comma = std::min(line.find(',', begin), line.size());
    std::string_view part = without_blanks(line.substr(begin, comma - begin));
    part = without_ends(without_ends(part, '"', '"'), '\'', '\'');
    if (!part.empty()) answer.values.emplace_back(part);
    begin = comma + 1;
  }
  return answer;
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
    DraftAnswer answer = answer_of(root->items[i]);
    if (!answer.ignored && answer.values.size() < 2) {
      findings.push_back({Severity::kError, root->keys[i].at,
                          fmt::format("'{}' should be [low, high], a list of at least two "
                                      "categories, or ignore",
                                      root->keys[i].scalar)});
    }
    answers.emplace(root->keys[i].scalar, std::move(answer));
  }
  if (findings.empty()) return answers;
  return make_error(ErrorKind::kSchema, "answers, line {}, column {}: {}", findings[0].at.line,
                    findings[0].at.column, findings[0].message);
}

}  // namespace privpfc
