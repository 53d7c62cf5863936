#include <doctest/doctest.h>

#include "io/reading.h"
#include "io/temp_dir.h"
#include "privpfc/io/table_reader.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

Rows read_csv(std::string_view bytes, const CsvFormat& csv = {}) {
  const TempDir dir;
  return read_all({dir.write("t.csv", bytes)}, csv);
}

const Rows kTwoRows{{"1", "x"}, {"2", "y"}};

}  // namespace

TEST_CASE("CSV in all its usual dress reads the same") {
  CHECK(read_csv("a,b\n1,x\n2,y\n") == kTwoRows);
  CHECK(read_csv("a,b\n1,x\n2,y") == kTwoRows);
  CHECK(read_csv("a,b\r\n1,x\r\n2,y\r\n") == kTwoRows);
  CHECK(read_csv("\xEF\xBB\xBF"
                 "a,b\n1,x\n2,y\n") == kTwoRows);
  CHECK(read_csv("a,b\n\n1,x\n\n2,y\n\n\n") == kTwoRows);
  CHECK(read_csv("\"a\",\"b\"\n\"1\",\"x\"\n2,\"y\"\n") == kTwoRows);
}

TEST_CASE("a header alone is a table without rows") {
  CHECK(read_csv("a,b\n").empty());
  CHECK(read_csv("a,b").empty());
}

TEST_CASE("quoted cells hold newlines, separators and quotes") {
  CHECK(read_csv("a,b\n\"1\n2\r\n3\",\"x,\"\"y\"\"\"\n") == Rows{{"1\n2\r\n3", "x,\"y\""}});
}

TEST_CASE("cells stay as they are: no value is read as null or number") {
  CHECK(read_csv("a,b\nNA,\n 1 ,1e309\nNaN,null\n") ==
        Rows{{"NA", ""}, {" 1 ", "1e309"}, {"NaN", "null"}});
}

TEST_CASE("separators, quotes, skipped lines and missing headers follow the schema") {
  CHECK(read_csv("a;b\n1;x\n2;y\n", {.separator = ';'}) == kTwoRows);
  CHECK(read_csv("a\tb\n1\tx\n2\ty\n", {.separator = '\t'}) == kTwoRows);
  CHECK(read_csv("a b\n1 x\n2 y\n", {.separator = ' '}) == kTwoRows);
  CHECK(read_csv("|junk, \"\n\na,b\n1,x\n2,y\n", {.skip_lines = 1}) == kTwoRows);
  CHECK(read_csv("1,x\n2,y\n", {.header = false}) == kTwoRows);
  CHECK(read_csv("a,b\n1,'x'\n2,'y'\n", {.quote = '\''}) == kTwoRows);
  CHECK(read_csv("a,b\n1,\"x\n", {.quote = std::nullopt}) == Rows{{"1", "\"x"}});
}

TEST_CASE("a space after the separator is no part of the value") {
  const CsvFormat spaced{.header = false, .space_after_separator = true};
  CHECK(read_csv("1, x\n2, y\n\n", spaced) == kTwoRows);
  CHECK(read_csv(" 1,   x \n", spaced) == Rows{{" 1", "x "}});
  CHECK(read_csv("1, \"x, y\"\n2, \"a\"\"b, \"\n", spaced) == Rows{{"1", "x, y"}, {"2", "a\"b, "}});
}

TEST_CASE("columns without a header are called by their position") {
  const TempDir dir;
  const auto reader = TableReader::open({dir.write("t.csv", "1,x\n")}, {.header = false});
  REQUIRE(reader.ok());
  REQUIRE(reader->columns().size() == 2);
  CHECK(reader->columns()[0].name == "1");
  CHECK(reader->columns()[1].name == "2");
}

TEST_CASE("a file with neither header nor rows is a table without rows, alone and beside others") {
  const TempDir dir;
  const auto nothing = dir.write("1.csv", "");
  const auto blank = dir.write("2.csv", "\n\n");
  const auto row = dir.write("3.csv", "1,x\n");
  const CsvFormat csv{.header = false, .columns = 2};
  for (const auto& alone : {nothing, blank}) {
    const auto reader = TableReader::open({alone}, csv);
    REQUIRE(reader.ok());
    CHECK(reader->columns().size() == 2);
    CHECK(read_all({alone}, csv).empty());
  }
  CHECK(read_all({nothing, row, blank}, csv) == Rows{{"1", "x"}});
  CHECK(read_all({dir.path()}, csv, 2) == Rows{{"1", "x"}});
  check_error(read_error({nothing}, {.header = false, .columns = 9}, {.columns = 8}),
              ErrorKind::kLimit, "the schema speaks of column 9; at most 8 can be read");
}

TEST_CASE("a file that gets rows, or loses them, while the table is read is noticed") {
  const TempDir dir;
  const CsvFormat csv{.header = false, .columns = 1};
  for (const auto& [then, now] : {std::pair("", "1\n"), std::pair("1\n", "")}) {
    const auto path = dir.write("t.csv", then);
    auto reader = TableReader::open({path}, csv);
    REQUIRE(reader.ok());
    dir.write("t.csv", now);
    const Status status = read_rows(*reader, {0}).status;
    REQUIRE_FALSE(status.ok());
    check_error(status.error(), ErrorKind::kData,
                path.string() + " was changed while it was being read");
  }
}

TEST_CASE("only the selected columns are read, in the order of the selection") {
  const TempDir dir;
  auto reader = TableReader::open({dir.write("t.csv", "a,b,c\n1,2,3\n")});
  REQUIRE(reader.ok());
  CHECK(read_rows(*reader, {2, 0}).rows == Rows{{"3", "1"}});
  CHECK(read_rows(*reader, {1}).rows == Rows{{"2"}});
}

TEST_CASE("a large file reads the same with any number of threads, row ends across blocks") {
  const TempDir dir;
  std::string bytes = "a,b\n";
  Rows expected;
  for (int i = 0; i < 200'000; ++i) {
    const std::string text = fmt::format("{}\n\"{}\"", i, i * 7);
    bytes += fmt::format("{},\"{}\n\"\"{}\"\"\"\n", i, i, i * 7);
    expected.push_back({std::to_string(i), text});
  }
  const auto path = dir.write("t.csv", bytes);
  for (const unsigned threads : {1U, 2U, 5U}) {
    CAPTURE(threads);
    CHECK((read_all({path}, {}, threads) == expected));
  }
}

TEST_CASE("several files and a directory are one table, in order") {
  const TempDir dir;
  const auto b = dir.write("b.csv", "a\n2\n");
  const auto a = dir.write("a.csv", "a\n1\n");
  dir.write("_SUCCESS", "");
  dir.write(".hidden", "x");
  CHECK(read_all({b, a}) == Rows{{"2"}, {"1"}});
  CHECK(read_all({dir.path()}) == Rows{{"1"}, {"2"}});
  CHECK(read_all({dir.path()}, {}, 4) == Rows{{"1"}, {"2"}});
}

TEST_CASE("a file that is named twice, by whatever name, is refused: its rows would count twice") {
  const TempDir dir;
  const auto a = dir.write("a.csv", "a\n1\n");
  const TempDir elsewhere;
  const auto hard = elsewhere.path() / "hard.csv";
  const auto soft = elsewhere.path() / "soft.csv";
  std::filesystem::create_hard_link(a, hard);
  std::filesystem::create_symlink(a, soft);
  for (const auto& second : {a, dir.path() / "." / "a.csv", dir.path(), hard, soft}) {
    CAPTURE(second.string());
    const auto reader = TableReader::open({a, second});
    REQUIRE_FALSE(reader.ok());
    CHECK(reader.error().kind == ErrorKind::kUsage);
    CHECK(reader.error().message.find("same file") != std::string::npos);
  }
  CHECK(read_all({a, elsewhere.write("other.csv", "a\n1\n")}) == Rows{{"1"}, {"1"}});
}

TEST_CASE("a file whose name says nothing is CSV") {
  const TempDir dir;
  CHECK(read_all({dir.write("adult.test", "a\n1\n")}) == Rows{{"1"}});
}
