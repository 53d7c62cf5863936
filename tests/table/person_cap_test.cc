#include "privpfc/table/person_cap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "privpfc/io/table_writer.h"
#include "privpfc/table/data_check.h"
#include "table/encoding.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

using Random = std::mt19937;

constexpr std::size_t kMostRows = 3;
constexpr std::int64_t kNobody = -1;

// Row n has n / 1000 and n % 1000 as its values, so that its codes say which row it is.
const char* kSchema =
    "name: t\nlabel: {column: y, classes: [n, p]}\nperson: {column: id, most_rows: 3}\n"
    "attributes:\n"
    "  thousands: {type: integer, domain: [0, 999], levels: [1000]}\n"
    "  rest: {type: integer, domain: [0, 999], levels: [1000]}\n";

// A table: whose each row is, and the rows' numbers.
struct People {
  std::vector<std::int64_t> ids;
  std::vector<std::size_t> rows;
};

// Many persons with few rows, some with very many, rows of nobody; the rows of one person stand
// anywhere.
People random_people(Random& random, std::size_t count) {
  People people;
  const std::size_t persons = 1 + random() % (count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t kind = random() % 8;
    people.ids.push_back(kind == 0   ? kNobody
                         : kind <= 2 ? static_cast<std::int64_t>(random() % 3)
                                     : static_cast<std::int64_t>(random() % persons));
    people.rows.push_back(i);
  }
  return people;
}

People without(const People& people, std::int64_t person) {
  People rest;
  for (std::size_t i = 0; i < people.ids.size(); ++i) {
    if (people.ids[i] == person) continue;
    rest.ids.push_back(people.ids[i]);
    rest.rows.push_back(people.rows[i]);
  }
  return rest;
}

// What should be kept, said once more and plainly.
std::vector<std::size_t> first_rows_of_each(const People& people) {
  std::map<std::int64_t, std::size_t> seen;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < people.ids.size(); ++i) {
    if (people.ids[i] != kNobody && seen[people.ids[i]]++ < kMostRows) {
      kept.push_back(people.rows[i]);
    }
  }
  return kept;
}

// The numbers of the rows that a cap lets through, the batches being cut anywhere.
std::vector<std::size_t> kept_rows(const People& people, Random& random) {
  PersonCap cap(kMostRows);
  std::vector<std::size_t> kept;
  for (std::size_t begin = 0; begin < people.ids.size();) {
    const std::size_t size = std::min<std::size_t>(random() % 20, people.ids.size() - begin);
    const std::vector<std::int64_t> ids(
        people.ids.begin() + static_cast<std::ptrdiff_t>(begin),
        people.ids.begin() + static_cast<std::ptrdiff_t>(begin + size));
    std::vector<std::uint8_t> valid((size + 7) / 8 + 1, 0);
    for (std::size_t i = 0; i < size; ++i) {
      if (ids[i] != kNobody) valid[i / 8] = static_cast<std::uint8_t>(valid[i / 8] | 1U << i % 8);
    }
    const PersonKeys keys =
        person_keys({size, std::span<const std::int64_t>(ids), {valid.data(), 0}});
    for (const std::size_t row : cap.keep(keys)) kept.push_back(people.rows[begin + row]);
    begin += size;
  }
  return kept;
}

// How ids are stored.
enum class Ids { kIntegers, kReals, kTexts, kCategories };

std::filesystem::path write_people(const std::filesystem::path& path, const People& people,
                                   Ids how) {
  using Kind = OutputColumn::Kind;
  const std::size_t count = people.ids.size();
  std::vector<double> reals(people.ids.begin(), people.ids.end());
  std::vector<std::string> texts;
  std::vector<std::string> categories;
  std::vector<std::uint16_t> codes;
  std::vector<std::uint8_t> valid;
  std::vector<std::int64_t> thousands, rest;
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(people.ids[i] == kNobody ? "" : std::to_string(people.ids[i]));
    codes.push_back(static_cast<std::uint16_t>(std::max<std::int64_t>(0, people.ids[i])));
    valid.push_back(people.ids[i] != kNobody);
    thousands.push_back(static_cast<std::int64_t>(people.rows[i] / 1000));
    rest.push_back(static_cast<std::int64_t>(people.rows[i] % 1000));
  }
  for (std::size_t i = 0; how == Ids::kCategories && i < 65'000; ++i) {
    categories.push_back(std::to_string(i));
  }
  const std::vector<std::uint8_t> labels(count, 0);
  const Kind kinds[] = {Kind::kInteger, Kind::kReal, Kind::kText, Kind::kCategory};
  const OutputValues values[] = {
      std::span<const std::int64_t>(people.ids), std::span<const double>(reals),
      std::span<const std::string>(texts), std::span<const std::uint16_t>(codes)};
  const auto at = static_cast<std::size_t>(how);
  const std::vector<OutputColumn> columns{
      {.name = "rest", .kind = Kind::kInteger},
      {.name = "id", .kind = kinds[at], .nullable = true, .categories = categories},
      {.name = "y", .kind = Kind::kCategory, .categories = {"p", "n"}},
      {.name = "thousands", .kind = Kind::kInteger}};
  const OutputSlice slices[] = {{std::span<const std::int64_t>(rest)},
                                {values[at], valid},
                                {std::span<const std::uint8_t>(labels)},
                                {std::span<const std::int64_t>(thousands)}};
  auto writer = TableWriter::create(path, columns);
  REQUIRE(writer.ok());
  REQUIRE(writer->write(slices).ok());
  REQUIRE(writer->close().ok());
  return path;
}

std::vector<std::size_t> read_rows(const std::vector<std::filesystem::path>& paths,
                                   unsigned threads, const EncoderOptions& options = {}) {
  auto reader = TableReader::open(paths);
  REQUIRE(reader.ok());
  const auto encoder = Encoder::create(schema_of(kSchema), reader->columns(), options);
  REQUIRE_MESSAGE(encoder.ok(), (encoder.ok() ? "" : encoder.error().message));
  const auto table = encode_table(*reader, *encoder, threads);
  REQUIRE(table.ok());
  std::vector<std::size_t> rows;
  for (const EncodedBatch& batch : table->batches()) {
    const auto thousands = codes_of(batch, 0);
    const auto rest = codes_of(batch, 1);
    for (std::size_t i = 0; i < batch.rows; ++i) rows.push_back(1000 * thousands[i] + rest[i]);
    CHECK(batch.classes.size() == batch.rows);
  }
  CHECK(rows.size() == table->rows());
  return rows;
}

PersonKeys keys_of_texts(const std::vector<std::string_view>& texts) {
  return person_keys({texts.size(), std::span<const std::string_view>(texts)});
}

template <typename Number>
PersonKeys keys_of(const std::vector<Number>& numbers) {
  return person_keys({numbers.size(), std::span<const Number>(numbers)});
}

}  // namespace

TEST_CASE("a person who leaves takes their own kept rows along, at most most_rows, and no other") {
  Random random(1);
  std::size_t at_the_cap = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const People all = random_people(random, random() % 120);
    const std::vector<std::size_t> kept = kept_rows(all, random);
    REQUIRE(kept == first_rows_of_each(all));
    const std::int64_t leaving = static_cast<std::int64_t>(random() % 4);
    const std::vector<std::size_t> left = kept_rows(without(all, leaving), random);
    std::vector<std::size_t> gone;
    std::set_difference(kept.begin(), kept.end(), left.begin(), left.end(),
                        std::back_inserter(gone));
    REQUIRE(left.size() + gone.size() == kept.size());  // nothing new
    REQUIRE(gone.size() <= kMostRows);
    for (const std::size_t row : gone) REQUIRE(all.ids[row] == leaving);
    at_the_cap += gone.size() == kMostRows ? 1 : 0;
  }
  CHECK(at_the_cap > 1000);
}

TEST_CASE("threads, batches, files and formats change nothing about which rows are kept") {
  Random random(2);
  const TempDir dir;
  const People people = random_people(random, 60'000);
  const std::vector<std::size_t> expected = first_rows_of_each(people);
  REQUIRE(expected.size() < people.ids.size() / 2);
  REQUIRE(expected.size() > 10'000);
  int files = 0;
  for (const char* ending : {".csv", ".parquet"}) {
    for (const Ids how : {Ids::kIntegers, Ids::kReals, Ids::kTexts, Ids::kCategories}) {
      const auto path = write_people(dir / ("t" + std::to_string(++files) + ending), people, how);
      for (const unsigned threads : {1U, 2U, 5U}) {
        CAPTURE(path.string());
        CAPTURE(threads);
        // Reals are written as 7.0 into CSV, which is a text of its own; the persons are the same.
        CHECK((read_rows({path}, threads) == expected));
      }
    }
    std::vector<std::filesystem::path> parts;
    for (std::size_t begin = 0; begin < people.ids.size();) {
      const std::size_t end = std::min(people.ids.size(), begin + 1 + random() % 9'000);
      const auto from = static_cast<std::ptrdiff_t>(begin);
      const auto to = static_cast<std::ptrdiff_t>(end);
      const People part{{people.ids.begin() + from, people.ids.begin() + to},
                        {people.rows.begin() + from, people.rows.begin() + to}};
      parts.push_back(
          write_people(dir / ("part" + std::to_string(++files) + ending), part, Ids::kIntegers));
      begin = end;
    }
    for (const unsigned threads : {1U, 3U}) CHECK((read_rows(parts, threads) == expected));
  }
}

TEST_CASE("rows without an id are left out, however that is written") {
  for (const PersonKeys& keys :
       {keys_of_texts({"", ""}), keys_of(std::vector<double>{std::nan(""), -std::nan("")}),
        person_keys({2, AllNull{}})}) {
    PersonCap cap(kMostRows);
    CHECK(cap.keep(keys).empty());
    CHECK(cap.rows_without_id() == 2);
    CHECK(cap.persons() == 0);
  }
  const TempDir dir;
  CHECK(read_rows({dir.write("t.csv", "thousands,rest,id,y\n0,1,,n\n0,2,a,n\n0,3,\"\",p\n")}, 1) ==
        std::vector<std::size_t>{2});
}

TEST_CASE("an id is its text: numbers of any type and texts agree, padding makes another id") {
  const PersonKeys texts = keys_of_texts({"7", "-1", "9007199254740993"});
  CHECK(keys_of(std::vector<std::int64_t>{7, -1, 9007199254740993}) == texts);
  const auto start = [&](const PersonKeys& keys) {
    return std::equal(keys.begin(), keys.end(), texts.begin());
  };
  CHECK(start(keys_of(std::vector<std::int8_t>{7, -1})));
  CHECK(start(keys_of(std::vector<std::int16_t>{7, -1})));
  CHECK(start(keys_of(std::vector<std::int32_t>{7, -1})));
  CHECK(start(keys_of(std::vector<std::uint8_t>{7})));
  CHECK(start(keys_of(std::vector<std::uint64_t>{7})));
  CHECK(start(keys_of(std::vector<double>{7, -1})));
  CHECK(start(keys_of(std::vector<float>{7, -1})));
  CHECK(keys_of(std::vector<std::uint64_t>{~std::uint64_t{0}}) ==
        keys_of_texts({"18446744073709551615"}));
  CHECK(keys_of(std::vector<double>{0.5, -0.0, 100'000, 1e15}) ==
        keys_of_texts({"0.5", "0", "100000", "1000000000000000"}));
  const std::vector<std::int32_t> days{19753};
  CHECK(person_keys({1, DaysView{days}}) == keys_of_texts({"2024-01-31"}));
  const PersonKeys different = keys_of_texts({"7", "07", " 7", "7 ", "7.0", "seven", "a", "A"});
  for (std::size_t i = 0; i < different.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(different[i] == different[j]);
  }
}

TEST_CASE("ids of a dictionary are those of its texts, null and out of reach being none") {
  const std::vector<std::string_view> values{"a", "", "b"};
  const ColumnView dictionary{3, std::span<const std::string_view>(values)};
  const PersonKeys of_values = keys_of_texts(values);
  const std::uint8_t valid[] = {0b1101111};
  for (const std::size_t rows :
       {std::size_t{2}, std::size_t{7}}) {  // fewer rows than values, and more
    const std::vector<std::int32_t> indices{2, 0, 1, 0, 2, 9, -1};
    const PersonKeys keys = person_keys(
        {rows, DictionaryView{std::span(indices).first(rows), &dictionary}, {valid, 0}});
    REQUIRE(keys.size() == rows);
    CHECK(keys[0] == of_values[2]);
    CHECK(keys[1] == of_values[0]);
    if (rows == 2) continue;
    CHECK_FALSE(keys[2]);
    CHECK(keys[3] == of_values[0]);
    CHECK_FALSE(keys[4]);  // null
    CHECK_FALSE(keys[5]);
    CHECK_FALSE(keys[6]);
  }
}

TEST_CASE("a declared person's column must be there where persons are capped, and only there") {
  const auto create = [](std::vector<InputColumn> columns, const EncoderOptions& options) {
    return Encoder::create(schema_of(kSchema), columns, options);
  };
  const std::vector<InputColumn> all{{"thousands"}, {"rest"}, {"y"}, {"id"}};
  const std::vector<InputColumn> no_id{{"thousands"}, {"rest"}, {"y"}};
  const auto capped = create(all, {});
  REQUIRE(capped.ok());  // the column is not undeclared
  CHECK(capped->most_rows_of_a_person() == 3);
  CHECK(capped->input_columns() == std::vector<std::size_t>{0, 1, 2, 3});
  const auto refused = create(no_id, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("no column 'id'") != std::string::npos);
  for (const auto& columns : {all, no_id}) {
    const auto plain = create(columns, {.caps_persons = false});
    REQUIRE(plain.ok());
    CHECK_FALSE(plain->most_rows_of_a_person());
    CHECK(plain->input_columns() == std::vector<std::size_t>{0, 1, 2});
  }
  CHECK(create({{"thousands"}, {"rest"}}, {.needs_label = false, .caps_persons = false}).ok());
  CHECK_FALSE(create({{"thousands"}, {"rest"}}, {.caps_persons = false}).ok());
}

TEST_CASE("where rows are rows, all of them are read") {
  const TempDir dir;
  const auto path = dir.write(
      "t.csv", "thousands,rest,id,y\n0,1,a,n\n0,2,a,n\n0,3,a,p\n0,4,a,p\n0,5,,p\n0,6,b,p\n");
  CHECK(read_rows({path}, 1, {.caps_persons = false}) ==
        std::vector<std::size_t>{1, 2, 3, 4, 5, 6});
  CHECK(read_rows({path}, 1) == std::vector<std::size_t>{1, 2, 3, 6});
}

TEST_CASE("a check counts persons and the rows that would be left out") {
  const TempDir dir;
  const auto path = dir.write(
      "t.csv", "thousands,rest,id,y\n0,1,a,n\n0,2,a,n\n0,3,a,p\n0,4,a,p\n0,5,,p\n0,6,b,p\n");
  auto reader = TableReader::open({path});
  REQUIRE(reader.ok());
  const auto report = check_data(schema_of(kSchema), *reader, 2);
  REQUIRE(report.ok());
  CHECK(report->rows == 6);
  CHECK(report->columns.size() == 3);
  CHECK(report->is_clean());
  REQUIRE(report->person);
  CHECK(report->person->persons == 2);
  CHECK(report->person->rows_beyond == 1);
  CHECK(report->person->rows_without_id == 1);
}
