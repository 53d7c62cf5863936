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

TEST_CASE("names that look like cells are noticed") {
  const auto first = [](const std::vector<std::string>& names) {
    std::vector<DraftColumn> columns;
    for (const std::string& name : names) columns.push_back({name});
    return first_unlikely_name(columns);
  };
  CHECK(first({"age", "1st", "x2", "income-2024"}) == std::nullopt);
  CHECK(first({"a", "39"}) == 2);
  CHECK(first({"a", " -1.5e3"}) == 2);
  CHECK(first({"a", "b", "2024-01-31"}) == 3);
  CHECK(first({"?", "b"}) == 1);
  CHECK(first({"a", " "}) == 2);
  CHECK(first({"y", "n", " y"}) == 3);
}

TEST_CASE("answers that are no answers are refused with their place") {
  CHECK_FALSE(read_draft_answers("age: 5\n").ok());
  CHECK_FALSE(read_draft_answers("age: [5]\n").ok());
  CHECK_FALSE(read_draft_answers("age: [[1], 2]\n").ok());
  CHECK_FALSE(read_draft_answers("").ok());
  CHECK_FALSE(read_draft_answers("[a]").ok());
}
