#include "draft_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "privpfc/base/shown_text.h"

namespace privpfc::cli {
namespace {

// A line from the terminal; none at its end.
std::optional<std::string> read_line(const std::string& prompt) {
  fmt::print(stderr, "{}: ", prompt);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

bool is_a_column(const std::vector<DraftColumn>& columns, const std::string& name) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const DraftColumn& column) { return column.name == name; });
}

void ask_for_label(const std::vector<DraftColumn>& columns, std::string& label) {
  while (const auto line = read_line("Which column is the label")) {
    if (line->empty() || is_a_column(columns, *line)) {
      label = *line;
      return;
    }
    fmt::print(stderr, "  There is no such column.\n");
  }
}

// Nothing for an empty line. What is no answer is asked for again, with the reason.
std::optional<DraftAnswer> ask_about(const DraftColumn& column, bool is_label) {
  const std::string prompt = (column.by_position ? "column " : "") + shown_text(column.name) +
                             (is_label ? " (classes)" : "");
  while (const auto line = read_line(prompt)) {
    DraftAnswer answer = parse_answer_line(*line);
    if (answer.values.empty() && !answer.ignored) return std::nullopt;
    const auto problem = answer_problem(column, is_label, answer);
    if (!problem) return answer;
    fmt::print(stderr, "  Not taken: {}.\n", shown_text(*problem));
  }
  return std::nullopt;
}

}  // namespace

void ask_about_columns(const std::vector<DraftColumn>& columns, std::string& label,
                       DraftAnswers& answers) {
  fmt::print(stderr,
             "For each column, say what is publicly known: two bounds (0, 119), all categories "
             "(female, male),\nor ignore for a column that is not to be read. Return leaves it "
             "blank. No value of the data is read.\n");
  if (label.empty()) ask_for_label(columns, label);
  for (const DraftColumn& column : columns) {
    if (!needs_answer(column, answers)) continue;
    if (auto answer = ask_about(column, column.name == label)) {
      answers.emplace(column.name, *std::move(answer));
    }
  }
}

}  // namespace privpfc::cli
