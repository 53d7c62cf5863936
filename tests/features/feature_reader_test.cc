#include "privpfc/features/feature_reader.h"

#include <doctest/doctest.h>

#include <cmath>

#include "io/temp_dir.h"
#include "privpfc/io/table_writer.h"
#include "privpfc/schema/schema_reader.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

const char* const kSchema = R"(
name: wards
label: {column: y, classes: [well, ill]}
attributes:
  age:  {type: integer, domain: [0, 119], levels: [12], missing: ["-1"]}
  cost: {type: real, domain: [0, 100], levels: [4], missing: [""], outside: missing}
  day:  {type: date, domain: [2020-01-01, 2020-12-31], levels: [6]}
  ward: {type: categorical, missing: ["?"], tree: {Surgery: [Heart, Bone], Other: }}
  note: {type: categorical, values: [x], use: false}
)";

Schema schema() {
  SchemaReading reading = read_schema_text(kSchema);
  REQUIRE(reading.schema.has_value());
  return *std::move(reading.schema);
}

struct Reading {
  FeatureSpace space;
  Dataset data;
};

Result<Reading> read(const std::filesystem::path& path, const EncoderOptions& options = {},
                     const Schema& used = schema()) {
  Reading reading;
  PRIVPFC_ASSIGN(reading.space, make_feature_space(used, plain_views(used)));
  PRIVPFC_ASSIGN(TableReader table, TableReader::open({path}, used.csv));
  PRIVPFC_ASSIGN(const FeatureReader features,
                 FeatureReader::create(used, reading.space, table.columns(), options));
  PRIVPFC_ASSIGN(reading.data, read_dataset(table, features, 2));
  return reading;
}

}  // namespace

TEST_CASE("numbers stay numbers within their bounds, and what is none is missing") {
  const TempDir dir;
  const auto path = dir.write("t.csv",
                              "age,cost,day,ward,y\n"
                              "40,12.5,2020-01-11,Bone,ill\n"
                              "-1,-3,2019-01-01,?,well\n"
                              "-7,100,soon,Elsewhere,well\n"
                              "200,nan,2020-12-31,Heart,ill\n"
                              "12.9,1e2,,Other,well\n"
                              "many,1e999,2020-12-31,Heart,ill\n");
  const auto reading = read(path);
  REQUIRE_MESSAGE(reading.ok(), reading.error().message);
  const Dataset& data = reading->data;
  REQUIRE(data.count() == 6);
  CHECK(check_dataset(data, reading->space).ok());
  const std::vector<double>& age = data.rows.columns[0].numbers;
  CHECK(age[0] == 40);
  CHECK(std::isnan(age[1]));  // a declared spelling of missing
  CHECK(age[2] == 0);         // the nearer end
  CHECK(age[3] == 119);
  CHECK(age[4] == 12);  // the whole number below
  CHECK(std::isnan(age[5]));
  const std::vector<double>& cost = data.rows.columns[1].numbers;
  CHECK(cost[0] == 12.5);
  CHECK(std::isnan(cost[1]));  // outside: missing
  CHECK(cost[2] == 100);
  CHECK(std::isnan(cost[3]));
  CHECK(cost[4] == 100);
  CHECK(std::isnan(cost[5]));
  const std::vector<double>& day = data.rows.columns[2].numbers;
  CHECK(day[0] == 18262 + 10);
  CHECK(day[1] == 18262);
  CHECK(std::isnan(day[2]));
  CHECK(std::isnan(day[4]));
  CHECK(data.rows.columns[3].codes ==
        std::vector<std::uint16_t>{1, kMissingCode, kMissingCode, 0, 2, 0});
  CHECK(data.labels == std::vector<std::uint8_t>{1, 0, 0, 1, 0, 1});
  CHECK(data.weights == std::vector<double>(6, 1));
}

TEST_CASE("Parquet gives what CSV gives: nulls, dates, dictionaries") {
  const TempDir dir;
  using Kind = OutputColumn::Kind;
  auto writer = TableWriter::create(
      dir / "t.parquet", {{.name = "age", .kind = Kind::kInteger, .nullable = true},
                          {.name = "cost", .kind = Kind::kReal},
                          {.name = "day", .kind = Kind::kDate},
                          {.name = "ward", .kind = Kind::kCategory, .categories = {"Heart", "?"}},
                          {.name = "y", .kind = Kind::kCategory, .categories = {"ill", "well"}}});
  REQUIRE(writer.ok());
  const std::vector<std::int64_t> age = {40, 41, 300};
  const std::vector<std::uint8_t> valid = {1, 0, 1};
  const std::vector<double> cost = {1.5, std::nan(""), 101};
  const std::vector<std::int32_t> day = {18272, 1, 18272};
  const std::vector<std::uint8_t> ward = {0, 1, 0};
  const std::vector<std::uint8_t> y = {0, 1, 0};
  const std::vector<OutputSlice> slices = {{std::span(age), valid},
                                           {std::span(cost)},
                                           {std::span(day)},
                                           {std::span(ward)},
                                           {std::span(y)}};
  REQUIRE(writer->write(slices).ok());
  REQUIRE(writer->close().ok());
  const auto reading = read(dir / "t.parquet");
  REQUIRE_MESSAGE(reading.ok(), reading.error().message);
  const Dataset& data = reading->data;
  CHECK(data.rows.columns[0].numbers[0] == 40);
  CHECK(std::isnan(data.rows.columns[0].numbers[1]));
  CHECK(data.rows.columns[0].numbers[2] == 119);
  CHECK(data.rows.columns[1].numbers[0] == 1.5);
  CHECK(std::isnan(data.rows.columns[1].numbers[1]));
  CHECK(std::isnan(data.rows.columns[1].numbers[2]));
  CHECK(data.rows.columns[2].numbers == std::vector<double>{18272, 18262, 18272});
  CHECK(data.rows.columns[3].codes == std::vector<std::uint16_t>{0, kMissingCode, 0});
  CHECK(data.labels == std::vector<std::uint8_t>{1, 0, 1});
}

TEST_CASE("the label may be left out where it is not needed; other columns may not") {
  const TempDir dir;
  const auto path = dir.write("t.csv", "age,cost,day,ward\n1,2,2020-02-02,Bone\n");
  CHECK_FALSE(read(path).ok());
  const auto reading = read(path, {.needs_label = false});
  REQUIRE_MESSAGE(reading.ok(), reading.error().message);
  CHECK(reading->data.labels.empty());
  CHECK(reading->data.rows.count == 1);
  const auto without_age = dir.write("u.csv", "cost,day,ward,y\n2,2020-02-02,Bone,ill\n");
  CHECK_FALSE(read(without_age, {.needs_label = false}).ok());
  const auto extra = dir.write("v.csv", "age,cost,day,ward,y,z\n1,2,2020-02-02,Bone,ill,3\n");
  CHECK_FALSE(read(extra, {.needs_label = false}).ok());
  CHECK(read(extra, {.ignore_extra_columns = true}).ok());
}

TEST_CASE("a coarser view gives the nodes of its level") {
  const TempDir dir;
  const auto path = dir.write("t.csv",
                              "age,cost,day,ward,y\n"
                              "40,12.5,2020-01-11,Bone,ill\n"
                              "9,12.5,2020-01-11,Other,ill\n"
                              "x,12.5,2020-01-11,?,ill\n");
  const Schema used = schema();
  const std::vector<AttributeView> views = {{AttributeIndex(3U), false, LevelIndex(1U)},
                                            {AttributeIndex(0U), false, LevelIndex(1U)}};
  const auto space = make_feature_space(used, views);
  REQUIRE(space.ok());
  auto table = TableReader::open({path}, used.csv);
  REQUIRE(table.ok());
  const auto features = FeatureReader::create(used, *space, table->columns(), {});
  REQUIRE(features.ok());
  const auto data = read_dataset(*table, *features, 1);
  REQUIRE(data.ok());
  CHECK(data->rows.columns[0].codes == std::vector<std::uint16_t>{0, 1, kMissingCode});
  CHECK(data->rows.columns[1].codes == std::vector<std::uint16_t>{4, 0, kMissingCode});
}

TEST_CASE(
    "of a declared person at most so many rows are learned from, and all where rows are rows") {
  const TempDir dir;
  const auto path = dir.write("t.csv",
                              "id,age,cost,day,ward,y\n"
                              "a,1,1,2020-01-11,Bone,ill\n"
                              "a,2,2,2020-01-11,Heart,well\n"
                              ",3,3,2020-01-11,Other,ill\n"
                              "b,4,4,2020-01-11,Bone,well\n"
                              "a,5,5,2020-01-11,Bone,ill\n");
  const SchemaReading with_person =
      read_schema_text(std::string(kSchema) + "person: {column: id, most_rows: 2}\n");
  REQUIRE(with_person.schema);
  const auto capped = read(path, {}, *with_person.schema);
  REQUIRE_MESSAGE(capped.ok(), (capped.ok() ? "" : capped.error().message));
  CHECK(capped->data.rows.columns[0].numbers == std::vector<double>{1, 2, 4});
  CHECK(capped->data.labels == std::vector<std::uint8_t>{1, 0, 0});
  CHECK(capped->data.weights == std::vector<double>{1, 1, 1});
  CHECK(capped->data.rows.count == 3);
  const auto all = read(path, {.caps_persons = false}, *with_person.schema);
  REQUIRE(all.ok());
  CHECK(all->data.rows.columns[0].numbers == std::vector<double>{1, 2, 3, 4, 5});
}
