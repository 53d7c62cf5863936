#include "privpfc/table/column_match.h"

#include <doctest/doctest.h>

#include "table/encoding.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

const char* kSchema =
    "name: t\nlabel: {column: y, classes: [n, p]}\nignore: [id]\nattributes:\n"
    "  a: {type: boolean}\n  b: {type: boolean, column: bee}\n  c: {type: boolean, use: false}\n";

std::vector<InputColumn> columns(const std::vector<std::string>& names) {
  std::vector<InputColumn> result;
  for (const std::string& name : names) result.push_back({name, ColumnType::kText});
  return result;
}

std::string refusal(const std::vector<std::string>& names, const EncoderOptions& options = {}) {
  const auto encoder = Encoder::create(schema_of(kSchema), columns(names), options);
  if (encoder.ok()) return "";
  CHECK(encoder.error().kind == ErrorKind::kData);
  return encoder.error().message;
}

}  // namespace

TEST_CASE("columns are found by name, in any order; unused and ignored ones may be there") {
  const auto encoder = Encoder::create(schema_of(kSchema), columns({"y", "id", "bee", "c", "a"}));
  REQUIRE(encoder.ok());
  CHECK(encoder->input_columns() == std::vector<std::size_t>{4, 2, 0});
}

TEST_CASE("a missing column is an error that names it, and no name of the data") {
  CHECK(refusal({"a", "y", "marker"}) ==
        "the data has no column 'bee'; check the schema's column names, and whether the file has "
        "a header (csv: {header: false})");
  CHECK(refusal({"marker", "marker2"}) ==
        "the data has no columns 'a', 'bee', 'y'; check the schema's column names, and whether "
        "the file has a header (csv: {header: false})");
}

TEST_CASE("a single column that nobody knows makes the separator suspect") {
  CHECK(refusal({"marker;a;bee;y"}) ==
        "the data has no columns 'a', 'bee', 'y'; the file seems to have one column only: is the "
        "separator right? It is read with ','; the schema may name another (csv: {separator: "
        "\";\"})");
  CHECK(refusal({"a"}).find("separator") == std::string::npos);
}

TEST_CASE("a Parquet file has its own header and separators") {
  std::vector<InputColumn> given = columns({"marker"});
  given[0].in_csv = false;
  const auto encoder = Encoder::create(schema_of(kSchema), given);
  REQUIRE_FALSE(encoder.ok());
  CHECK(encoder.error().message ==
        "the data has no columns 'a', 'bee', 'y'; check the schema's column names");
}

TEST_CASE("only the columns that are needed must be there, and only they are read") {
  const auto encoder = Encoder::create(schema_of(kSchema), columns({"y", "bee"}),
                                       {.attributes = std::vector{AttributeIndex(std::size_t{1})}});
  REQUIRE(encoder.ok());
  CHECK(encoder->input_columns() == std::vector<std::size_t>{1, 0});
  CHECK(refusal({"y", "a"}, {.attributes = std::vector{AttributeIndex(std::size_t{1})}})
            .find("'bee'") != std::string::npos);
  CHECK(refusal({"bee"},
                {.needs_label = false, .attributes = std::vector{AttributeIndex(std::size_t{1})}})
            .empty());
}

TEST_CASE("control characters in a name do not reach the terminal") {
  CHECK(refusal({"a", "bee", "y", "\x1b[31mred"}).find("'\\x1b[31mred'") != std::string::npos);
}

TEST_CASE("an undeclared column is refused unless it is ignored or allowed") {
  CHECK(refusal({"a", "bee", "y", "extra"}) ==
        "the schema does not name the column 'extra'; declare it (use: false, or ignore), or give "
        "--ignore-extra-columns");
  CHECK(refusal({"a", "bee", "y", "e1", "e2", "e3", "e4", "e5", "e6"}) ==
        "the schema does not name the columns 'e1', 'e2', 'e3', 'e4', 'e5' and 1 more; declare "
        "them (use: false, or ignore), or give --ignore-extra-columns");
  CHECK(refusal({"a", "bee", "y", "extra"}, {.ignore_extra_columns = true}).empty());
  CHECK(refusal({"a", "bee", "y", "fold"}, {.allowed_columns = {"fold"}}).empty());
  CHECK_FALSE(refusal({"a", "bee", "y", "fold", "x"}, {.allowed_columns = {"fold"}}).empty());
}

TEST_CASE("columns by position") {
  const Schema schema = schema_of(
      "name: t\nlabel: {column: 3, classes: [n, p]}\ncsv: {header: false}\nattributes:\n"
      "  a: {type: boolean, column: 1}\n  b: {type: boolean, column: 2}\n");
  const auto encoder = Encoder::create(schema, columns({"1", "2", "3"}));
  REQUIRE(encoder.ok());
  CHECK(encoder->input_columns() == std::vector<std::size_t>{0, 1, 2});
  const auto narrow = Encoder::create(schema, columns({"1", "2"}));
  REQUIRE_FALSE(narrow.ok());
  CHECK(narrow.error().message ==
        "the data has no column '3'; check the schema's column names, and whether the file has a "
        "header (csv: {header: false})");
}

TEST_CASE("a type that a column cannot have is refused, in whichever file it has it") {
  const Schema schema = schema_of(
      "name: t\nlabel: {column: y, classes: [n, p]}\nattributes:\n"
      "  a: {type: integer, domain: [0, 9], levels: [2]}\n");
  std::vector<InputColumn> given = columns({"a", "y"});
  given[0].other_types = {ColumnType::kInteger, ColumnType::kNull};
  CHECK(Encoder::create(schema, given).ok());
  given[0].other_types.push_back(ColumnType::kDate);
  const auto encoder = Encoder::create(schema, given);
  REQUIRE_FALSE(encoder.ok());
  CHECK(encoder.error().message ==
        "column 'a' holds dates, but the schema declares its type as integer");
}
