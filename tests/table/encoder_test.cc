#include "privpfc/table/encoder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "privpfc/io/table_writer.h"
#include "table/encoding.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

using Leaves = std::vector<std::string>;

const std::string kAge =
    "{type: integer, domain: [0, 99], levels: [10], missing: [\"?\"], other: true";

}  // namespace

TEST_CASE("an integer in the domain goes to its bin, ends included") {
  const Schema named = schema_with(
      "{type: integer, domain: [0, 9], intervals: {low: [0, 4], high: [5, 9]}, missing: []}");
  CHECK(leaves_of_texts(named, {"0", "4", "5", "9", "-0", "+3", " 7 ", "5.0", "1e0"}) ==
        Leaves{"low", "low", "high", "high", "low", "low", "high", "high", "low"});
  CHECK(leaves_of_numbers<std::int64_t>(named, {0, 4, 5, 9}) ==
        Leaves{"low", "low", "high", "high"});
  CHECK(leaves_of_numbers<std::uint8_t>(named, {0, 4, 5, 9}) ==
        Leaves{"low", "low", "high", "high"});
  CHECK(leaves_of_numbers<double>(named, {0, 4.9, 5, 9}) == Leaves{"low", "low", "high", "high"});
}

TEST_CASE("a real goes to the bin that holds its end") {
  const std::string bins = "{type: real, domain: [0, 3], missing: [], cuts: [1, 2]";
  const Schema left = schema_with(bins + "}");
  const Schema right = schema_with(bins + ", closed: right}");
  const auto bin = [](const Schema& schema, std::size_t i) {
    return schema.attributes[0].hierarchy.leaf_label(LeafIndex(i));
  };
  CHECK(leaves_of_texts(left, {"0", "0.99", "1", "2", "3"}) ==
        Leaves{bin(left, 0), bin(left, 0), bin(left, 1), bin(left, 2), bin(left, 2)});
  CHECK(leaves_of_texts(right, {"0", "1", "1.01", "2", "3"}) ==
        Leaves{bin(right, 0), bin(right, 0), bin(right, 1), bin(right, 1), bin(right, 2)});
  CHECK(leaves_of_numbers<float>(right, {0.0F, 1.0F, 1.01F, 2.0F, 3.0F}) ==
        leaves_of_texts(right, {"0", "1", "1.01", "2", "3"}));
  CHECK(leaves_of_numbers<std::int32_t>(left, {0, 1, 2, 3}) ==
        Leaves{bin(left, 0), bin(left, 1), bin(left, 2), bin(left, 2)});
}

TEST_CASE("what lies outside the domain goes to the nearest bin, or where `outside` says") {
  const std::string domain =
      "{type: integer, domain: [0, 9], intervals: {low: [0, 4], high: [5, 9]}, missing: [], "
      "other: true";
  const std::vector<std::string_view> texts{
      "-1", "10", "inf", "-inf", "1e309", "-1e309", "99999999999999999999", "1e-400"};
  CHECK(leaves_of_texts(schema_with(domain + "}"), texts) ==
        Leaves{"low", "high", "high", "low", "high", "low", "high", "low"});
  CHECK(leaves_of_texts(schema_with(domain + ", outside: other}"), texts) ==
        Leaves{"other", "other", "other", "other", "other", "other", "other", "low"});
  CHECK(leaves_of_texts(schema_with(domain + ", outside: missing}"), {"-1", "10", "inf"}) ==
        Leaves{"missing", "missing", "missing"});
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(leaves_of_numbers<double>(schema_with(domain + "}"), {-kInfinity, kInfinity, 1e300}) ==
        Leaves{"low", "high", "high"});
  CHECK(leaves_of_numbers<std::uint64_t>(schema_with(domain + "}"), {~std::uint64_t{0}}) ==
        Leaves{"high"});
  CHECK(leaves_of_numbers<std::int64_t>(
            schema_with(domain + "}"),
            {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) ==
        Leaves{"low", "high"});
}

TEST_CASE("what is no number goes to missing") {
  const Schema schema = schema_with(kAge + "}");
  for (const std::string_view text : {"", "NA", "NaN", "nan", "?", "x", "1,5", "0x10", "1 2", "--1",
                                      "+-1", "-", ".", "e5", "１"}) {
    CAPTURE(text);
    CHECK(leaves_of_texts(schema, {text}) == Leaves{"missing"});
  }
  CHECK(leaves_of_numbers<double>(schema, {std::nan("")}) == Leaves{"missing"});
}

TEST_CASE("without a missing leaf the other one serves, without both the first") {
  const std::string domain =
      "{type: integer, domain: [0, 9], intervals: {low: [0, 4], high: [5, 9]}";
  CHECK(leaves_of_texts(schema_with(domain + ", other: true}"), {""}) == Leaves{"other"});
  CHECK(leaves_of_texts(schema_with(domain + "}"), {""}) == Leaves{"low"});
  CHECK(leaves_of_texts(schema_with("{type: categorical, values: [x, y], missing: [\"?\"]}"),
                        {"zz", "?"}) == Leaves{"missing", "missing"});
  CHECK(leaves_of_texts(schema_with("{type: categorical, values: [x, y]}"), {"zz", ""}) ==
        Leaves{"x", "x"});
}

TEST_CASE("a missing spelling that is a number counts however the file stores it") {
  const std::string domain =
      "{type: integer, domain: [0, 99], intervals: {low: [0, 49], high: [50, 99]}, missing: ";
  const Schema schema = schema_with(domain + "[\"99\", \"-1\"]}");
  CHECK(leaves_of_texts(schema, {"99", "-1", "98", "99.0"}) ==
        Leaves{"missing", "missing", "high", "missing"});
  CHECK(leaves_of_numbers<std::int16_t>(schema, {99, -1, 98}) ==
        Leaves{"missing", "missing", "high"});
  CHECK(leaves_of_numbers<double>(schema, {99, -1, 99.5}) == Leaves{"missing", "missing", "high"});
  CHECK(leaves_of_texts(schema_with(domain + "[\"00\"]}"), {"00", "0"}) ==
        Leaves{"missing", "low"});
}

TEST_CASE("a fraction in an integer column goes with the whole number below") {
  const Schema schema = schema_with(
      "{type: integer, domain: [0, 9], intervals: {low: [0, 4], high: [5, 9]}, other: true, "
      "outside: other}");
  CHECK(leaves_of_texts(schema, {"4.9", "9.9", "-0.1"}) == Leaves{"low", "high", "other"});
}

TEST_CASE("dates are read as days; what is no date is missing") {
  const Schema schema = schema_with(
      "{type: date, domain: [2020-01-01, 2021-12-31], missing: [], "
      "intervals: {first: [2020-01-01, 2020-12-31], second: [2021-01-01, 2021-12-31]}}");
  CHECK(leaves_of_texts(schema, {"2020-12-31", "2021-01-01", "2021-01-01T23:59", "1999-01-01",
                                 "2021-02-29", "20210101", "", "2021-1-1"}) ==
        Leaves{"first", "second", "second", "first", "missing", "missing", "missing", "missing"});
  const std::int32_t days[] = {18627, 18628, 0, 100'000};
  CHECK(leaves_of(schema, {4, DaysView{days}}, ColumnType::kDate) ==
        Leaves{"first", "second", "first", "second"});
}

TEST_CASE("categories are compared as they stand") {
  const Schema schema = schema_with(
      "{type: categorical, missing: [\"?\"], other: true, aliases: {x: [X, \"1\"]}, "
      "tree: {G: [x, y], z: }}");
  CHECK(leaves_of_texts(
            schema, {"x", "y", "z", "X", "1", "?", "", " x", "x ", "G", "NA", "Y", "nan", "xx"}) ==
        Leaves{"x", "y", "z", "x", "x", "missing", "missing", "other", "other", "other", "other",
               "other", "other", "other"});
}

TEST_CASE("categories stored as numbers, booleans or dates are compared by their text") {
  const Schema schema = schema_with(
      "{type: categorical, values: [\"1\", \"2\", \"2.5\", \"7000\", \"true\", \"2020-01-01\"], "
      "other: true, missing: [\"-9\"]}");
  CHECK(leaves_of_numbers<std::int64_t>(schema, {1, 2, 3, -9, 7000, 7001}) ==
        Leaves{"1", "2", "other", "missing", "7000", "other"});
  CHECK(leaves_of_numbers<std::uint64_t>(schema, {1, ~std::uint64_t{0}}) == Leaves{"1", "other"});
  CHECK(leaves_of_numbers<double>(schema, {1, 2.5, std::nan(""), 1e300}) ==
        Leaves{"1", "2.5", "missing", "other"});
  const std::uint8_t bits = 0b10;
  CHECK(leaves_of(schema, {2, BooleanView{&bits, 0}}, ColumnType::kBoolean) ==
        Leaves{"other", "true"});
  const std::int32_t days[] = {18262, 0};
  CHECK(leaves_of(schema, {2, DaysView{days}}, ColumnType::kDate) == Leaves{"2020-01-01", "other"});
}

TEST_CASE("booleans come in many spellings, in any case") {
  const Schema schema = schema_with("{type: boolean, missing: [\"?\"], other: {new: other}}");
  CHECK(leaves_of_texts(schema, {"true", "YES", "tRuE", "y", "1", "T"}) ==
        Leaves{"true", "true", "true", "true", "true", "true"});
  CHECK(leaves_of_texts(schema, {"false", "No", "F", "0", "fALSE", "n"}) ==
        Leaves{"false", "false", "false", "false", "false", "false"});
  CHECK(leaves_of_texts(schema, {"maybe", "2", "", "?"}) ==
        Leaves{"other", "other", "missing", "missing"});
  CHECK(leaves_of_numbers<std::int8_t>(schema, {0, 1, 2}) == Leaves{"false", "true", "other"});
  const std::uint8_t bits = 0b10;
  CHECK(leaves_of(schema, {2, BooleanView{&bits, 0}}, ColumnType::kBoolean) ==
        Leaves{"false", "true"});
}

TEST_CASE("nulls are missing, whatever stands below them") {
  const Schema schema = schema_with(kAge + "}");
  const std::int64_t values[] = {5, 5, 5};
  const std::uint8_t valid = 0b1010;  // from the second bit on: 1, 0, 1
  const ColumnView column{3, std::span<const std::int64_t>(values), {&valid, 1}};
  const Leaves leaves = leaves_of(schema, column, ColumnType::kInteger);
  CHECK(leaves[0] != "missing");
  CHECK(leaves[1] == "missing");
  CHECK(leaves[2] == leaves[0]);
  CHECK(leaves_of(schema, {2, AllNull{}}, ColumnType::kNull) == Leaves{"missing", "missing"});
}

TEST_CASE("dictionaries of texts and of numbers, small and larger than the batch") {
  const Schema schema =
      schema_with("{type: categorical, values: [x, y], missing: [], other: true}");
  const std::string_view texts[] = {"y", "zz", "x", ""};
  const std::uint8_t valid = 0b1011;
  const ColumnView values{4, std::span<const std::string_view>(texts), {&valid, 0}};
  const std::int32_t long_indices[] = {0, 1, 2, 3, 2, 0};
  const std::int32_t short_indices[] = {3, 2, 1};
  CHECK(leaves_of(schema, {6, DictionaryView{long_indices, &values}}, ColumnType::kText) ==
        Leaves{"y", "other", "missing", "missing", "missing", "y"});
  CHECK(leaves_of(schema, {3, DictionaryView{short_indices, &values}}, ColumnType::kText) ==
        Leaves{"missing", "missing", "other"});
  const std::uint8_t row_valid = 0b011;
  const std::int32_t wild_indices[] = {0, 1, 77};  // the null row's index is anything
  CHECK(leaves_of(schema, {3, DictionaryView{wild_indices, &values}, {&row_valid, 0}},
                  ColumnType::kText) == Leaves{"y", "other", "missing"});
}

TEST_CASE("labels: listed, aliased, and all others") {
  const Schema schema = schema_of(
      "name: t\nlabel: {column: y, classes: [n, p], aliases: {p: [P]}, other: p}\n"
      "attributes: {a: {type: boolean, missing: []}}\n");
  const auto encoder =
      Encoder::create(schema, std::vector<InputColumn>{{"a", ColumnType::kText}, {"y"}});
  REQUIRE(encoder.ok());
  const std::vector<std::string_view> booleans(5, "1"), labels{"n", "p", "P", "dead", ""};
  const auto encoded = encoder->encode({5,
                                        {{5, std::span<const std::string_view>(booleans)},
                                         {5, std::span<const std::string_view>(labels)}},
                                        {}});
  CHECK(encoded.classes == std::vector<std::uint8_t>{0, 1, 1, 1, 1});
}

TEST_CASE("codes take one byte up to 256 leaves, two bytes above") {
  const auto code_type = [](int leaves) {
    const Schema schema = schema_with(fmt::format(
        "{{type: integer, domain: [0, {}], levels: [{}], missing: []}}", leaves - 2, leaves - 1));
    REQUIRE(schema.attributes[0].hierarchy.leaf_count() == static_cast<std::size_t>(leaves));
    const auto encoder = Encoder::create(schema, std::vector<InputColumn>{{"a"}, {"y"}});
    REQUIRE(encoder.ok());
    const std::string_view cell[] = {""};
    const ColumnView column{1, std::span<const std::string_view>(cell)};
    const auto encoded = encoder->encode({1, {column, column}, {}});
    CHECK(codes_of(encoded, 0)[0] == static_cast<std::size_t>(leaves - 1));
    return encoded.codes[0].index();
  };
  CHECK(code_type(256) == 0);
  CHECK(code_type(257) == 1);
  CHECK(code_type(2000) == 1);
}

TEST_CASE("a column whose type can never hold the attribute is refused before any row") {
  const auto refusal = [](const std::string& attribute, ColumnType type) {
    const auto encoder =
        Encoder::create(schema_with(attribute), std::vector<InputColumn>{{"a", type}, {"y"}});
    REQUIRE_FALSE(encoder.ok());
    CHECK(encoder.error().kind == ErrorKind::kData);
    return encoder.error().message;
  };
  CHECK(refusal("{type: integer, domain: [0, 1], levels: [2]}", ColumnType::kDate) ==
        "column 'a' holds dates, but the schema declares its type as integer");
  CHECK(refusal("{type: date, domain: [2020-01-01, 2020-01-02], levels: [2]}",
                ColumnType::kInteger) ==
        "column 'a' holds numbers, but the schema declares its type as date");
}

TEST_CASE("an attribute that is not used takes no part") {
  const Schema schema = schema_of(
      "name: t\nlabel: {column: y, classes: [n, p]}\nattributes:\n"
      "  a: {type: boolean, use: false}\n  b: {type: boolean, missing: []}\n");
  const auto encoder = Encoder::create(schema, std::vector<InputColumn>{{"b"}, {"y"}});
  REQUIRE(encoder.ok());
  CHECK(encoder->input_columns() == std::vector<std::size_t>{0, 1});
  const std::string_view cell[] = {"1"};
  const ColumnView column{1, std::span<const std::string_view>(cell)};
  CHECK(codes_of(encoder->encode({1, {column, column}, {}}), 1) == std::vector<std::size_t>{1});
}

TEST_CASE("a table is the same from CSV and from Parquet, with any number of threads") {
  const TempDir dir;
  const Schema schema = schema_of(
      "name: t\nlabel: {column: y, classes: [n, p]}\nattributes:\n"
      "  age: {type: integer, domain: [0, 99], levels: [10], missing: []}\n"
      "  ward: {type: categorical, values: [x, y, z], missing: [], other: true}\n"
      "  weight: {type: real, domain: [0, 1], levels: [300], missing: []}\n");
  constexpr std::size_t kRows = 250'000;
  std::vector<std::int64_t> age;
  std::vector<double> weight;
  std::vector<std::uint8_t> ward, label, valid;
  for (std::size_t i = 0; i < kRows; ++i) {
    age.push_back(static_cast<std::int64_t>(i * 7919 % 120) - 10);
    weight.push_back(static_cast<double>(i * 104729 % 1000) / 900);
    ward.push_back(static_cast<std::uint8_t>(i * 31 % 4));
    label.push_back(static_cast<std::uint8_t>(i * 17 % 2));
    valid.push_back(i % 11 != 0);
  }
  using Kind = OutputColumn::Kind;
  const std::vector<OutputColumn> columns{
      {.name = "age", .kind = Kind::kInteger, .nullable = true},
      {.name = "ward",
       .kind = Kind::kCategory,
       .nullable = true,
       .categories = {"z", "w", "x", "y"}},
      {.name = "weight", .kind = Kind::kReal, .nullable = true},
      {.name = "y", .kind = Kind::kCategory, .categories = {"p", "n"}}};
  const OutputSlice slices[] = {{std::span<const std::int64_t>(age), valid},
                                {std::span<const std::uint8_t>(ward), valid},
                                {std::span<const double>(weight), valid},
                                {std::span<const std::uint8_t>(label)}};
  std::vector<std::vector<std::size_t>> expected;
  for (const char* name : {"t.csv", "t.parquet"}) {
    auto writer = TableWriter::create(dir / name, columns);
    REQUIRE(writer.ok());
    REQUIRE(writer->write(slices).ok());
    REQUIRE(writer->close().ok());
    for (const unsigned threads : {1U, 2U, 4U}) {
      CAPTURE(name);
      CAPTURE(threads);
      auto reader = TableReader::open({dir / name});
      REQUIRE(reader.ok());
      const auto encoder = Encoder::create(schema, reader->columns());
      REQUIRE(encoder.ok());
      const auto table = encode_table(*reader, *encoder, threads);
      REQUIRE(table.ok());
      CHECK(table->rows() == kRows);
      CHECK(table->memory() == kRows * (1 + 1 + 2 + 1));
      std::vector<std::vector<std::size_t>> codes(4);
      for (const EncodedBatch& batch : table->batches()) {
        for (std::size_t a = 0; a < 3; ++a) {
          const auto part = codes_of(batch, a);
          codes[a].insert(codes[a].end(), part.begin(), part.end());
        }
        codes[3].insert(codes[3].end(), batch.classes.begin(), batch.classes.end());
      }
      if (expected.empty()) expected = codes;
      CHECK((codes == expected));
    }
  }
}
