#include <arrow/compute/api.h>
#include <doctest/doctest.h>

#include "io/arrow_files.h"
#include "io/reading.h"
#include "io/temp_dir.h"
#include "privpfc/io/table_writer.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

std::vector<std::string> read_column(const std::shared_ptr<arrow::Array>& array,
                                     bool use_dictionary = true) {
  const TempDir dir;
  const auto path = write_parquet(dir / "t.parquet", {{"c", array}}, parquet::Compression::ZSTD,
                                  1000, use_dictionary);
  std::vector<std::string> cells;
  for (const auto& row : read_all({path})) cells.push_back(row[0]);
  return cells;
}

ColumnType type_of(const std::shared_ptr<arrow::Array>& array) {
  const TempDir dir;
  const auto reader = TableReader::open({write_parquet(dir / "t.parquet", {{"c", array}})});
  REQUIRE(reader.ok());
  return reader->columns()[0].type;
}

using Cells = std::vector<std::string>;

template <typename Builder, typename Value>
void check_integers() {
  const auto array = array_of<Builder, Value>({Value{0}, std::nullopt, Value{127}, Value{1}});
  CHECK(read_column(array) == Cells{"0", "null", "127", "1"});
  CHECK(read_column(array, false) == Cells{"0", "null", "127", "1"});
  CHECK(type_of(array) == ColumnType::kInteger);
}

}  // namespace

TEST_CASE("integers of every width") {
  check_integers<arrow::Int8Builder, std::int8_t>();
  check_integers<arrow::Int16Builder, std::int16_t>();
  check_integers<arrow::Int32Builder, std::int32_t>();
  check_integers<arrow::Int64Builder, std::int64_t>();
  check_integers<arrow::UInt8Builder, std::uint8_t>();
  check_integers<arrow::UInt16Builder, std::uint16_t>();
  check_integers<arrow::UInt32Builder, std::uint32_t>();
  check_integers<arrow::UInt64Builder, std::uint64_t>();
}

TEST_CASE("floating and decimal numbers") {
  CHECK(read_column(array_of<arrow::DoubleBuilder, double>({1.5, std::nullopt, -0.1})) ==
        Cells{"1.5", "null", "-0.1"});
  CHECK(read_column(array_of<arrow::FloatBuilder, float>({1.5F, std::nullopt, 0.25F})) ==
        Cells{"1.5", "null", "0.25"});
  const auto decimal = array_of<arrow::Decimal128Builder, arrow::Decimal128>(
      {arrow::Decimal128(12345), std::nullopt, arrow::Decimal128(-50)}, arrow::decimal128(20, 2));
  CHECK(read_column(decimal) == Cells{"123.45", "null", "-0.5"});
  CHECK(type_of(decimal) == ColumnType::kReal);
  const auto wide = array_of<arrow::Decimal256Builder, arrow::Decimal256>(
      {arrow::Decimal256(12345), std::nullopt}, arrow::decimal256(40, 1));
  CHECK(read_column(wide) == Cells{"1234.5", "null"});
  const auto small = array_of<arrow::Decimal128Builder, arrow::Decimal128>({arrow::Decimal128(7)},
                                                                           arrow::decimal128(5, 0));
  CHECK(read_column(small) == Cells{"7"});
}

TEST_CASE("booleans, also after a row group that is no multiple of eight") {
  std::vector<std::optional<bool>> values;
  Cells expected;
  for (int i = 0; i < 3000; ++i) {
    values.push_back(i % 7 == 0 ? std::nullopt : std::optional(i % 3 == 0));
    expected.push_back(i % 7 == 0 ? "null" : i % 3 == 0 ? "true" : "false");
  }
  const auto array = array_of<arrow::BooleanBuilder, bool>(values);
  CHECK((read_column(array) == expected));
  CHECK(type_of(array) == ColumnType::kBoolean);
}

TEST_CASE("dates and timestamps become days, rounded towards the past") {
  CHECK(read_column(array_of<arrow::Date32Builder, std::int32_t>({-1, std::nullopt, 20000})) ==
        Cells{"day -1", "null", "day 20000"});
  constexpr std::int64_t kDay = 86'400;
  const auto times = [](arrow::TimeUnit::type unit, std::int64_t factor, const char* zone) {
    return array_of<arrow::TimestampBuilder, std::int64_t>(
        {-1, 0, kDay * factor - 1, kDay * factor, std::nullopt}, arrow::timestamp(unit, zone));
  };
  const Cells expected{"day -1", "day 0", "day 0", "day 1", "null"};
  CHECK(read_column(times(arrow::TimeUnit::SECOND, 1, "")) == expected);
  CHECK(read_column(times(arrow::TimeUnit::MILLI, 1'000, "UTC")) == expected);
  CHECK(read_column(times(arrow::TimeUnit::MICRO, 1'000'000, "")) == expected);
  CHECK(read_column(times(arrow::TimeUnit::NANO, 1'000'000'000, "UTC")) == expected);
  const auto date64 = array_of<arrow::Date64Builder, std::int64_t>({kDay * 1000, std::nullopt});
  CHECK(read_column(date64) == Cells{"day 1", "null"});
  CHECK(type_of(date64) == ColumnType::kDate);
}

TEST_CASE("texts of every layout, with and without dictionaries in the file") {
  const Cells expected{"a", "null", "", "b, longer than a short string", "a"};
  const auto plain = texts({"a", std::nullopt, "", "b, longer than a short string", "a"});
  for (const auto& type : {arrow::utf8(), arrow::large_utf8(), arrow::utf8_view(), arrow::binary(),
                           arrow::large_binary(), arrow::binary_view(),
                           arrow::dictionary(arrow::int8(), arrow::utf8())}) {
    CAPTURE(type->ToString());
    const auto array = arrow::compute::Cast(*plain, type).ValueOrDie();
    CHECK(read_column(array, true) == expected);
    CHECK(read_column(array, false) == expected);
    CHECK(type_of(array) == ColumnType::kText);
  }
  const auto fixed = array_of<arrow::FixedSizeBinaryBuilder, std::string>(
      {"ab", std::nullopt, "cd"}, arrow::fixed_size_binary(2));
  CHECK(read_column(fixed) == Cells{"ab", "null", "cd"});
}

TEST_CASE("a dictionary that differs from row group to row group") {
  const TempDir dir;
  std::vector<std::optional<std::string>> values;
  Rows expected;
  for (int i = 0; i < 5000; ++i) {
    values.push_back("v" + std::to_string(i / 3));
    expected.push_back({*values.back()});
  }
  const auto path =
      write_parquet(dir / "t.parquet", {{"c", texts(values)}}, parquet::Compression::SNAPPY, 700);
  for (const unsigned threads : {1U, 4U}) {
    CHECK((read_all({path}, {}, threads) == expected));
  }
}

TEST_CASE("what the writer writes, the reader reads") {
  const TempDir dir;
  auto writer = TableWriter::create(
      dir / "t.parquet",
      {{.name = "n", .kind = OutputColumn::Kind::kInteger},
       {.name = "c", .kind = OutputColumn::Kind::kCategory, .categories = {"x", "y"}}});
  REQUIRE(writer.ok());
  const std::int64_t numbers[] = {3, -4};
  const std::uint8_t codes[] = {1, 0};
  const OutputSlice slices[] = {{std::span<const std::int64_t>(numbers)},
                                {std::span<const std::uint8_t>(codes)}};
  REQUIRE(writer->write(slices).ok());
  REQUIRE(writer->close().ok());
  CHECK(read_all({dir / "t.parquet"}) == Rows{{"3", "y"}, {"-4", "x"}});
}

TEST_CASE("a null column, and a table without rows") {
  CHECK(read_column(std::make_shared<arrow::NullArray>(2)) == Cells{"null", "null"});
  CHECK(read_column(texts({})).empty());
}

TEST_CASE("only the selected columns are read, and nested ones do not matter beside them") {
  const TempDir dir;
  auto values = std::make_shared<arrow::Int32Builder>();
  arrow::ListBuilder lists(arrow::default_memory_pool(), values);
  REQUIRE(lists.Append().ok());
  REQUIRE(values->Append(1).ok());
  const auto path = write_parquet(
      dir / "t.parquet",
      {{"a", texts({"x"})}, {"list", lists.Finish().ValueOrDie()}, {"b", texts({"y"})}});
  auto reader = TableReader::open({path});
  REQUIRE(reader.ok());
  CHECK(read_rows(*reader, {2, 0}).rows == Rows{{"y", "x"}});
}

TEST_CASE("several Parquet files are one table") {
  const TempDir dir;
  write_parquet(dir / "b.parquet", {{"a", texts({"2"})}});
  write_parquet(dir / "a.parquet", {{"a", texts({"1"})}});
  CHECK(read_all({dir.path()}) == Rows{{"1"}, {"2"}});
}

TEST_CASE("a column may have another type in another file: a null makes numbers of integers") {
  const TempDir dir;
  write_parquet(dir / "1.parquet", {{"a", array_of<arrow::Int32Builder, std::int32_t>({1})}});
  write_parquet(dir / "2.parquet", {{"a", array_of<arrow::DoubleBuilder, double>({2.5})}});
  write_parquet(dir / "3.parquet", {{"a", std::make_shared<arrow::NullArray>(1)}});
  CHECK(read_all({dir.path()}) == Rows{{"1"}, {"2.5"}, {"null"}});
  const auto reader = TableReader::open({dir.path()});
  REQUIRE(reader.ok());
  CHECK(reader->columns()[0].type == ColumnType::kInteger);
  CHECK(reader->columns()[0].other_types ==
        std::vector<ColumnType>{ColumnType::kReal, ColumnType::kNull});
}
