#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/schema/attribute.h"

namespace privpfc {

// What a file's header says about a column: its name, and its type where the format has types.
struct DraftColumn {
  enum class Type { kUnknown, kInteger, kReal, kDate, kBoolean, kText };
  std::string name;
  Type type = Type::kUnknown;
  bool by_position = false;  // the file names no columns: `name` is the position, counted from 1
};

// What the curator knows about a column without looking at the data: bounds or categories; or that
// it is not to be read. A column without an answer is left for the curator to fill in.
struct DraftAnswer {
  std::vector<std::string> values{};  // bounds: exactly two numbers or dates; otherwise categories
  bool ignored = false;               // then there are no values
};
using DraftAnswers = std::map<std::string, DraftAnswer>;

// A YAML file of answers: `age: [0, 119]`, `sex: [female, male]`, `name: ignore`, one line per
// column, which is called by its position (`3: [0, 119]`) where the file names none.
Result<DraftAnswers> read_draft_answers(std::string_view yaml);

// The same as a person types it: `0, 119`, `[0, 119]`, `female, male`, `ignore`.
DraftAnswer parse_answer_line(std::string_view line);

// Why an answer does not do for a column; nothing if it does.
std::optional<std::string> answer_problem(const DraftColumn& column, bool is_label,
                                          const DraftAnswer& answer);

// The kind of number that the answer bounds; none where it lists categories.
std::optional<AttributeKind> bounded_kind(const DraftColumn& column, const DraftAnswer& answer);

// Whether a column still needs an answer before the draft is a schema. Booleans do not.
bool needs_answer(const DraftColumn& column, const DraftAnswers& answers);

}  // namespace privpfc
