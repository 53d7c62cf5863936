#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// What a file's header says about a column: its name, and its type where the format has types.
struct DraftColumn {
  enum class Type { kUnknown, kInteger, kReal, kDate, kBoolean, kText };
  std::string name;
  Type type = Type::kUnknown;
  bool by_position = false;  // the file names no columns: `name` is the position, counted from 1
};

// The first column, counted from 1, whose name is more likely a cell: a number, a date, "?", empty,
// or the name of another column. Where there is one, the file may have no header, and what was read
// as names may be private.
std::optional<std::size_t> first_unlikely_name(const std::vector<DraftColumn>& columns);

// What the curator knows about a column without looking at the data: bounds or categories.
// A column without an answer is left for the curator to fill in.
struct DraftAnswer {
  std::vector<std::string> values;  // bounds: exactly two numbers or dates; otherwise categories
};
using DraftAnswers = std::map<std::string, DraftAnswer>;

// A YAML file of answers: `age: [0, 119]`, `sex: [female, male]`, one line per column, which is
// called by its position (`3: [0, 119]`) where the file names none.
Result<DraftAnswers> read_draft_answers(std::string_view yaml);

// A schema to start from. The label's answer is its classes. Columns without an answer, and a label
// that is not named, are written with blanks that `lint` points out. `csv` is how the file was
// read.
std::string draft_schema(const std::string& name, const CsvFormat& csv,
                         const std::vector<DraftColumn>& columns, const std::string& label_column,
                         const DraftAnswers& answers);

// Whether a column still needs an answer before the draft is a schema. Booleans do not.
bool needs_answer(const DraftColumn& column, const DraftAnswers& answers);

}  // namespace privpfc
