#include <doctest/doctest.h>
#include <sys/stat.h>

#include "io/reading.h"
#include "io/temp_dir.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

// Every file is read with one thread and with three: the error must not depend on it.
void check_bad(std::string_view bytes, ErrorKind kind, const std::string& message,
               const CsvFormat& csv = {}, const ReaderLimits& limits = {}) {
  const TempDir dir;
  const auto path = dir.write("t.csv", bytes);
  for (const unsigned threads : {1U, 3U}) {
    check_error(read_error({path}, csv, limits, threads), kind, path.string() + message);
  }
}

constexpr ErrorKind kData = ErrorKind::kData;
constexpr ErrorKind kLimit = ErrorKind::kLimit;

// More rows than fit into one block, so that the error stands in a later one.
std::string many_rows(std::size_t rows) {
  std::string bytes = "a,b\n";
  for (std::size_t i = 0; i < rows; ++i) bytes += "marker,marker2\n";
  return bytes;
}

}  // namespace

TEST_CASE("an empty file") {
  check_bad("", kData, " is empty");
  check_bad("\n\n", kData, " has no header row");
}

TEST_CASE("UTF-16 and NUL bytes") {
  check_bad(std::string_view("\xFF\xFE"
                             "m\0a\0r\0k\0",
                             10),
            kData, " is UTF-16; convert the file to UTF-8 first");
  check_bad(std::string_view("\xFE\xFF\0m\0a", 6), kData,
            " is UTF-16; convert the file to UTF-8 first");
  check_bad(std::string_view("a\0,\0b\0\n\0", 8), kData,
            " holds NUL bytes in its first row; is it UTF-16, or not a text file?");
  check_bad(std::string_view("a,b\n1,2\nmarker\0,2\n", 18), kData,
            ": row 2 holds a NUL byte; a text file has none (is it UTF-16?)");
}

TEST_CASE("bytes that are not UTF-8") {
  check_bad("a,\xFF\n1,2\n", kData, " is not UTF-8 in its header; convert the file to UTF-8 first");
  check_bad("a,b\n1,2\n3,4\nmarker\xE9,2\n5,6\n", kData,
            ": row 3 is not UTF-8; convert the file to UTF-8 first");
  check_bad("a,b\n\"x\ny\",2\nmarker\xC3,2", kData,
            ": row 2 is not UTF-8; convert the file to UTF-8 first");
  check_bad(many_rows(200'000) + "\xC3\x28,1\n", kData,
            ": row 200001 is not UTF-8; convert the file to UTF-8 first");
}

TEST_CASE("a Parquet file that is called CSV is recognised by its ends") {
  check_bad("PAR1\xFF\xFEmarkerPAR1", kData,
            " is a Parquet file by its first bytes; give it a name that ends in .parquet");
  const TempDir dir;
  CHECK(read_all({dir.write("t.csv", "PAR1,PAR2\n1,2\n")}) == Rows{{"1", "2"}});
}

TEST_CASE("a release is not a directory of data files") {
  const TempDir dir;
  dir.write("manifest.json", "{}");
  dir.write("README.md", "");
  dir.write("synthetic.parquet", "");
  const std::string place = dir.path().string();
  check_error(read_error({dir.path()}, {}, {}, 1), kData,
              place +
                  " is a release, not a directory of data files; name the files that hold the "
                  "rows (the release's own, synthetic ones are in " +
                  place + "/synthetic.parquet)");
}

TEST_CASE("a quote that is never closed") {
  const std::string why =
      " opens a quote that is never closed; check the quoting, or declare 'quote: none' in the "
      "schema's csv part";
  check_bad("a,b\n1,2\n\"marker,2\n3,4\n", kData, ": row 2" + why);
  check_bad("a,b\n1,\"marker\"\"", kData, ": row 1" + why);
  check_bad("\"a,b\n1,2\n", kData, " is broken: its first row" + why);
}

TEST_CASE("rows that are too short or too long") {
  check_bad("a,b\n1,2\nmarker\n", kData, ": row 2 has 1 column, not 2");
  check_bad("a,b\n1,2\n\n1,marker,3\n", kData, ": row 2 has 3 columns, not 2");
  check_bad("a,b\n\"x\n\ny\",2\nmarker\n", kData, ": row 2 has 1 column, not 2");
  check_bad("1,2\nmarker,2,3\n", kData, ": row 2 has 3 columns, not 2", {.header = false});
  check_bad(many_rows(300'000) + "marker\n" + "marker,1,2\n", kData,
            ": row 300001 has 1 column, not 2");
}

TEST_CASE("a header with duplicate or empty names, which may be cells") {
  check_bad("marker,b,marker\n1,2,3\n", kData,
            " gives columns 1 and 3 the same name in its header");
  check_bad("marker,,b\n1,2,3\n", kData, " has no name for column 2 in its header");
}

TEST_CASE("too many columns") {
  std::string header;
  for (int i = 0; i < 1'000'000; ++i) header += fmt::format("c{},", i);
  check_bad(header + "end\n", kLimit, " has 1000001 columns; at most 4096 can be read");
}

TEST_CASE("a field of 1 GiB") {
  const std::string message =
      " has a row of more than 16 MiB; is a quote left open, or is it not CSV?";
  const TempDir dir;
  // A hole of 1 GiB: it takes no room on the disk.
  const auto hole = dir.write("hole.csv", "a,b\n1,2\n\"marker");
  std::filesystem::resize_file(hole, std::size_t{1} << 30);
  check_error(read_error({hole}), kLimit, hole.string() + message);
  const auto header = dir.write("header.csv", "marker");
  std::filesystem::resize_file(header, std::size_t{1} << 30);
  check_error(read_error({header}), kLimit, header.string() + message);
  check_bad("a,b\n1," + std::string(40 << 20, 'm') + "\n", kLimit, message);
}

TEST_CASE("more rows than allowed") {
  const TempDir dir;
  const auto path = dir.write("t.csv", "a\n1\n2\n3\n");
  check_error(read_error({path}, {}, {.rows = 2}), kLimit, "the data has more than 2 rows");
}

TEST_CASE("fewer lines than should be skipped") {
  check_bad("marker\n", kData, " has fewer lines than the schema says to skip", {.skip_lines = 2});
}

TEST_CASE("what is not a regular file") {
  const TempDir dir;
  check_error(read_error({"/dev/zero"}), kData, "/dev/zero is not a regular file");
  const auto pipe = dir / "pipe.csv";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  check_error(read_error({pipe}), kData, pipe.string() + " is not a regular file");
  const auto nothing = dir / "none.csv";
  check_error(read_error({nothing}), ErrorKind::kIo,
              "cannot open " + nothing.string() + ": No such file or directory");
}

TEST_CASE("directories without data, or with something else in them") {
  const TempDir dir;
  check_error(read_error({dir.path()}), kData,
              "the directory " + dir.path().string() + " holds no data files");
  dir.write("a.csv", "a\n");
  const auto stray = dir.write("notes.md", "");
  check_error(read_error({dir.path()}), kData,
              stray.string() +
                  " is neither a .csv nor a .parquet file; move it out of the "
                  "directory, or name the data files one by one");
  std::filesystem::remove(stray);
  std::filesystem::create_directory(dir / "sub.csv");
  check_error(read_error({dir.path()}), kData,
              (dir / "sub.csv").string() + " is not a regular file");
}

TEST_CASE("files that do not belong together") {
  const TempDir dir;
  const auto first = dir.write("1.csv", "a,b\n1,2\n");
  const auto renamed = dir.write("2.csv", "marker,b\n1,2\n");
  const auto wider = dir.write("3.csv", "marker,b,c\n1,2,3\n");
  const auto parquet = dir.write("4.parquet", "PAR1");
  check_error(read_error({first, renamed}), kData,
              "column 1 of " + renamed.string() + " has another name than in " + first.string());
  // Files without the header that the schema expects: what stands there are cells.
  check_error(read_error({renamed, first}), kData,
              "column 1 of " + first.string() + " has another name than in " + renamed.string());
  check_error(read_error({first, wider}), kData,
              wider.string() + " has 3 columns, but " + first.string() + " has 2");
  check_error(read_error({first, parquet}), kData,
              first.string() + " and " + parquet.string() +
                  " are of different formats; read CSV and Parquet files apart");
}
