#include "privpfc/schema/draft.h"

#include <doctest/doctest.h>

#include "privpfc/schema/schema_reader.h"

using namespace privpfc;

namespace {

const std::vector<DraftColumn> kColumns{
    {"age", DraftColumn::Type::kInteger},  {"weight", DraftColumn::Type::kReal},
    {"sex", DraftColumn::Type::kText},     {"smoker", DraftColumn::Type::kBoolean},
    {"seen", DraftColumn::Type::kDate},    {"few", DraftColumn::Type::kUnknown},
    {"outcome", DraftColumn::Type::kText},
};

}  // namespace

TEST_CASE("with every answer the draft is a schema without mistakes") {
  const auto answers = read_draft_answers(
      "age: [0, 119]\nweight: [0, 300]\nsex: [female, male]\nseen: [2020-01-01, 2024-12-31]\n"
      "few: [1, 3]\noutcome: [well, ill]\n");
  REQUIRE(answers.ok());
  const std::string text = draft_schema("clinic", CsvFormat{}, kColumns, "outcome", *answers);
  const SchemaReading reading = read_schema_text(text);
  REQUIRE_MESSAGE(reading.schema, (reading.findings.empty() ? "" : reading.findings[0].message));
  CHECK(reading.findings.empty());
  CHECK(reading.schema->label.classes == std::vector<std::string>{"well", "ill"});
  CHECK(reading.schema->attributes[0].kind == AttributeKind::kInteger);
  CHECK(reading.schema->attributes[1].kind == AttributeKind::kReal);
  CHECK(reading.schema->attributes[4].kind == AttributeKind::kDate);
  CHECK(reading.schema->attributes[5].bins->count() == 2);  // three values: two bins at most
}

TEST_CASE("what was not answered is left blank, and lint says where") {
  for (const DraftColumn& column : kColumns) {
    CHECK(needs_answer(column, {}) == (column.name != "smoker"));
  }
  const SchemaReading reading =
      read_schema_text(draft_schema("clinic", CsvFormat{}, kColumns, "", {}));
  CHECK_FALSE(reading.schema);
  std::size_t errors = 0;
  for (const Finding& finding : reading.findings) errors += finding.severity == Severity::kError;
  CHECK(errors >= kColumns.size() - 1);
}

TEST_CASE("two numbers are categories where the column is text") {
  const std::vector<DraftColumn> columns{{"code", DraftColumn::Type::kText},
                                         {"y", DraftColumn::Type::kText}};
  const auto answers = read_draft_answers("code: [1, 2]\ny: [a, b]\n");
  REQUIRE(answers.ok());
  const SchemaReading reading =
      read_schema_text(draft_schema("t", CsvFormat{}, columns, "y", *answers));
  REQUIRE(reading.schema);
  CHECK(reading.schema->attributes[0].kind == AttributeKind::kCategorical);
}

TEST_CASE("a file without names is drafted by positions, in the separator it was read with") {
  const std::vector<DraftColumn> columns{{"1", DraftColumn::Type::kUnknown, true},
                                         {"2", DraftColumn::Type::kUnknown, true},
                                         {"3", DraftColumn::Type::kUnknown, true}};
  const auto answers = read_draft_answers("1: [0, 119]\n2: [f, m]\n3: [well, ill]\n");
  REQUIRE(answers.ok());
  CsvFormat csv;
  csv.header = false;
  csv.separator = ';';
  csv.space_after_separator = true;
  csv.columns = 3;
  const SchemaReading reading = read_schema_text(draft_schema("t", csv, columns, "3", *answers));
  REQUIRE_MESSAGE(reading.schema, (reading.findings.empty() ? "" : reading.findings[0].message));
  CHECK(reading.findings.empty());
  CHECK(reading.schema->csv == csv);
  CHECK(reading.schema->label.column == ColumnRef(std::size_t{2}));
  CHECK(reading.schema->attributes[0].name == "column-1");
  CHECK(reading.schema->attributes[1].column == ColumnRef(std::size_t{1}));
}

TEST_CASE("a column that is not to be read goes under ignore") {
  const std::vector<DraftColumn> columns{{"name"}, {"age"}, {"y"}};
  const auto answers = read_draft_answers("name: ignore\nage: [0, 119]\ny: [a, b]\n");
  REQUIRE(answers.ok());
  const SchemaReading reading =
      read_schema_text(draft_schema("t", CsvFormat{}, columns, "y", *answers));
  REQUIRE_MESSAGE(reading.schema, (reading.findings.empty() ? "" : reading.findings[0].message));
  CHECK(reading.findings.empty());
  CHECK(reading.schema->ignored_columns == std::vector<std::string>{"name"});
  CHECK(reading.schema->attributes.size() == 1);
}

TEST_CASE("a position may be ignored where the file names no columns") {
  const std::vector<DraftColumn> columns{{"1", DraftColumn::Type::kUnknown, true},
                                         {"2", DraftColumn::Type::kUnknown, true},
                                         {"3", DraftColumn::Type::kUnknown, true}};
  CsvFormat csv;
  csv.header = false;
  const auto answers = read_draft_answers("1: ignore\n2: [0, 119]\n3: [a, b]\n");
  REQUIRE(answers.ok());
  const SchemaReading reading = read_schema_text(draft_schema("t", csv, columns, "3", *answers));
  REQUIRE_MESSAGE(reading.schema, (reading.findings.empty() ? "" : reading.findings[0].message));
  CHECK(reading.schema->ignored_columns == std::vector<std::string>{"1"});
}

TEST_CASE("bounds that are written with a decimal point are real") {
  const std::vector<DraftColumn> columns{{"a"}, {"b"}, {"c", DraftColumn::Type::kInteger}, {"y"}};
  const auto answers =
      read_draft_answers("a: [10.0, 60.0]\nb: [0, 1e6]\nc: [0.0, 9.0]\ny: [a, b]\n");
  REQUIRE(answers.ok());
  const SchemaReading reading =
      read_schema_text(draft_schema("t", CsvFormat{}, columns, "y", *answers));
  REQUIRE_MESSAGE(reading.schema, (reading.findings.empty() ? "" : reading.findings[0].message));
  CHECK(reading.schema->attributes[0].kind == AttributeKind::kReal);
  CHECK(reading.schema->attributes[1].kind == AttributeKind::kReal);
  CHECK(reading.schema->attributes[2].kind == AttributeKind::kInteger);
}

TEST_CASE("the blanks of a draft say which types there are, and how a column is left out") {
  const std::string text = draft_schema("t", CsvFormat{}, {{"a"}, {"y"}}, "y", {});
  for (const char* word :
       {"integer", "real", "date", "categorical", "boolean", "missing:", "ignore:"}) {
    CHECK_MESSAGE(text.find(word) != std::string::npos, word);
  }
}

TEST_CASE("an answer may be typed as the answers file has it") {
  using Values = std::vector<std::string>;
  CHECK(parse_answer_line("0, 119").values == Values{"0", "119"});
  CHECK(parse_answer_line(" [0, 119] ").values == Values{"0", "119"});
  CHECK(parse_answer_line("[\"<=50K\", '>50K']").values == Values{"<=50K", ">50K"});
  CHECK(parse_answer_line("ignore").ignored);
  CHECK(parse_answer_line(" ").values.empty());
  CHECK_FALSE(parse_answer_line("ignore, keep").ignored);
}

TEST_CASE("an answer that cannot be meant is refused with a reason") {
  const auto problem = [](const char* line, DraftColumn::Type type = DraftColumn::Type::kUnknown,
                          bool is_label = false) {
    return answer_problem({"c", type}, is_label, parse_answer_line(line)).value_or("");
  };
  CHECK(problem("0, 119").empty());
  CHECK(problem("a, b, c").empty());
  CHECK(problem("0, 1, 2+").empty());
  CHECK(problem("ignore").empty());
  CHECK(problem("119, 0") == "of two bounds the lower one comes first");
  CHECK(problem("5, 5") == "of two bounds the lower one comes first");
  CHECK(problem("2024-01-01, 2020-01-01") == "of two bounds the lower one comes first");
  CHECK(problem("0,5 - 10").find("decimal point") != std::string::npos);
  CHECK(problem("x, x") == "'x' is there twice");
  CHECK(problem("0 - 119").find("expected two bounds") != std::string::npos);
  // What a number bounds, a text column and a label list.
  CHECK(problem("2, 1", DraftColumn::Type::kText).empty());
  CHECK(problem("1, 0", DraftColumn::Type::kUnknown, true).empty());
  CHECK(problem("0, many", DraftColumn::Type::kUnknown, true).empty());
  CHECK(problem("ignore", DraftColumn::Type::kUnknown, true) == "the label cannot be ignored");
}

TEST_CASE("answers that are no answers are refused with their place") {
  CHECK_FALSE(read_draft_answers("age: 5\n").ok());
  CHECK_FALSE(read_draft_answers("age: [5]\n").ok());
  CHECK_FALSE(read_draft_answers("age: [[1], 2]\n").ok());
  CHECK_FALSE(read_draft_answers("age: {a: b, c: d}\n").ok());
  CHECK_FALSE(read_draft_answers("").ok());
  CHECK_FALSE(read_draft_answers("[a]").ok());
}
