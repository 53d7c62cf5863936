#include "privpfc/table/data_check.h"

#include <doctest/doctest.h>

#include "table/encoding.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

const char* kSchema =
    "name: t\nlabel: {column: y, classes: [n, p]}\nattributes:\n"
    "  age: {type: integer, domain: [0, 99], levels: [10]}\n"
    "  ward: {type: categorical, values: [x, z], missing: [\"?\"], other: true}\n";

DataReport report_on(const std::vector<std::filesystem::path>& paths, unsigned threads = 2) {
  auto reader = TableReader::open(paths);
  REQUIRE(reader.ok());
  auto report = check_data(schema_of(kSchema), *reader, threads);
  REQUIRE(report.ok());
  return *report;
}

std::vector<std::uint64_t> rows_of(const Tally& tally) {
  std::vector<std::uint64_t> rows;
  for (const RowNumber& row : tally.first_rows) rows.push_back(row.row);
  return rows;
}

using RowList = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("clean data has no findings") {
  const TempDir dir;
  const auto report = report_on({dir.write("t.csv", "age,ward,y\n1,x,n\n99,z,p\n")});
  CHECK(report.rows == 2);
  CHECK(report.is_clean());
}

TEST_CASE("every finding is counted and located") {
  const TempDir dir;
  const auto report = report_on({dir.write("t.csv",
                                           "age,ward,y\n"
                                           "1,x,n\n"
                                           "100,q,n\n"
                                           "-1,x,dead\n"
                                           "NA,x,n\n"
                                           "1.5,?,n\n"
                                           ",,\n")});
  REQUIRE(report.columns.size() == 3);
  const ColumnReport &age = report.columns[0], &ward = report.columns[1], &y = report.columns[2];
  CHECK(age.name == "age");
  CHECK(rows_of(age[Note::kOutOfRange]) == RowList{2, 3});
  CHECK(rows_of(age[Note::kNotANumber]) == RowList{4});
  CHECK(rows_of(age[Note::kFraction]) == RowList{5});
  CHECK(rows_of(age[Note::kMissing]) == RowList{6});
  CHECK(rows_of(ward[Note::kUnlisted]) == RowList{2});
  CHECK(rows_of(ward[Note::kMissing]) == RowList{5, 6});
  CHECK(y.is_label);
  CHECK(rows_of(y[Note::kUnlisted]) == RowList{3});
  CHECK(rows_of(y[Note::kMissing]) == RowList{6});
  CHECK_FALSE(report.is_clean());
}

TEST_CASE("what the schema provides for is counted, and clean") {
  const TempDir dir;
  const auto report = report_on({dir.write("t.csv", "age,ward,y\n1,q,n\n2,,p\n")});
  CHECK(report.columns[1][Note::kUnlisted].count == 1);
  CHECK(report.columns[1][Note::kMissing].count == 1);
  CHECK(report.is_clean());
}

TEST_CASE("unread values are those that the schema declares no place for") {
  const TempDir dir;
  const auto unread =
      unread_values(report_on({dir.write("t.csv", "age,ward,y\n1,q,n\n\"3,5\",?,N\n200,x,P\n")}));
  CHECK(unread.values == 4);  // a decimal comma, a number out of range, two labels in capitals
  CHECK(unread.columns == 2);
}

TEST_CASE("a label that is no class is unread also where a class is declared for it") {
  const TempDir dir;
  const Schema schema = schema_of(
      "name: t\nlabel: {column: y, classes: [n, p], other: n}\nattributes:\n  a: {type: "
      "boolean}\n");
  auto reader = TableReader::open({dir.write("t.csv", "a,y\nyes,N\nno,p\nno,P\n")});
  REQUIRE(reader.ok());
  const auto report = check_data(schema, *reader, 1);
  REQUIRE(report.ok());
  CHECK(unread_values(*report).values == 2);
  CHECK(report->is_clean());
}

TEST_CASE("only the first rows are kept, with their file, however many threads") {
  const TempDir dir;
  std::string bytes = "age,ward,y\n";
  for (int i = 0; i < 300'000; ++i) bytes += i % 100'000 == 99'999 ? "999,x,n\n" : "1,x,n\n";
  const auto first = dir.write("1.csv", bytes);
  const auto second = dir.write("2.csv", bytes);
  for (const unsigned threads : {1U, 4U}) {
    const auto report = report_on({first, second}, threads);
    const Tally& tally = report.columns[0][Note::kOutOfRange];
    CHECK(report.rows == 600'000);
    CHECK(tally.count == 6);
    CHECK(tally.first_rows ==
          std::vector<RowNumber>{
              {0, 100'000}, {0, 200'000}, {0, 300'000}, {1, 100'000}, {1, 200'000}});
  }
}

TEST_CASE("columns that are missing or undeclared are reported, both ways") {
  const TempDir dir;
  const auto report = report_on({dir.write("t.csv", "age,ward,extra\n1,x,n\n")});
  CHECK(report.missing_columns == std::vector<std::string>{"y"});
  CHECK(report.undeclared_columns == std::vector<std::string>{"extra"});
  CHECK(report.rows == 0);
  const auto extra = report_on({dir.write("e.csv", "age,ward,y,extra\n1,x,n,1\n")});
  CHECK_FALSE(extra.is_clean());
}

TEST_CASE("a file without the header that was expected does not have its cells reported") {
  const TempDir dir;
  const auto report = report_on({dir.write("t.csv", "17,marker,n\n18,x,n\n")});
  CHECK(report.missing_columns.size() == 3);
  CHECK(report.undeclared_columns.empty());
}
