#include <doctest/doctest.h>

#include <optional>

#include "io/arrow_files.h"
#include "io/reading.h"
#include "io/temp_dir.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

constexpr ErrorKind kData = ErrorKind::kData;
constexpr ErrorKind kLimit = ErrorKind::kLimit;

// Reads the bytes with one thread and with three: the error must not depend on it.
void check_bad(std::string_view bytes, ErrorKind kind, const std::string& message,
               const ReaderLimits& limits = {}) {
  const TempDir dir;
  const auto path = dir.write("t.parquet", bytes);
  for (const unsigned threads : {1U, 3U}) {
    check_error(read_error({path}, {}, limits, threads), kind, path.string() + message);
  }
}

constexpr std::int64_t kRows = 12'345;

// A good file to break: 12,345 rows, all the same, of three categories.
std::string good_file(parquet::Compression::type codec = parquet::Compression::UNCOMPRESSED) {
  const TempDir dir;
  std::vector<std::optional<std::string>> values{"x", "y"};
  values.resize(kRows, "marker");
  return read_bytes(write_parquet(dir / "t.parquet", {{"ward", texts(values)}}, codec));
}

// A number as Thrift's compact protocol writes it.
std::string varint(std::uint64_t n) {
  std::string bytes;
  for (; n >= 0x80; n >>= 7) bytes += static_cast<char>(n | 0x80);
  return bytes + static_cast<char>(n);
}
std::string thrift_number(std::int64_t n) {
  return varint((static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63));
}

std::size_t footer_start(const std::string& file) {
  std::uint32_t length = 0;
  std::memcpy(&length, file.data() + file.size() - 8, 4);
  return file.size() - 8 - length;
}

// Replaces the `which`-th place after `from` where `old_bytes` stand.
std::string patched(std::string file, std::size_t from, const std::string& old_bytes,
                    const std::string& new_bytes, std::optional<int> which = std::nullopt) {
  int seen = 0;
  for (std::size_t at = file.find(old_bytes, from); at != std::string::npos;
       at = file.find(old_bytes, at + 1)) {
    if (!which || *which == seen) file.replace(at, old_bytes.size(), new_bytes);
    ++seen;
  }
  REQUIRE(seen > which.value_or(0));
  return file;
}

}  // namespace

TEST_CASE("the file to break is readable as it is") {
  const TempDir dir;
  CHECK(read_all({dir.write("t.parquet", good_file())}).size() == kRows);
}

TEST_CASE("empty, too short, or no Parquet file") {
  check_bad("", kData, " is empty");
  check_bad("PAR1PAR1", kData, " is too short to be a Parquet file");
  check_bad("marker,but,this,is,CSV\n", kData,
            " is not a Parquet file: it does not start like one");
}

TEST_CASE("a file that was cut, or whose footer is") {
  const std::string good = good_file();
  check_bad(good.substr(0, good.size() / 2), kData,
            " is cut short: it does not end like a Parquet file");
  const std::string footer = " has a footer that cannot be read: the file is damaged or cut short";
  // The end is there, a piece before it is not.
  check_bad(good.substr(0, good.size() - 100) + good.substr(good.size() - 8), kData, footer);
  std::string long_footer = good;
  long_footer[long_footer.size() - 5] = '\x7F';
  check_bad(long_footer, kData, footer);
  check_bad(patched(good, footer_start(good), "schema", std::string(6, '\xFF')).substr(0, 200) +
                std::string(100, '\xFF') + good.substr(good.size() - 8),
            kData, footer);
}

TEST_CASE("a footer that is larger than allowed") {
  check_bad(good_file(), kLimit, " has a footer of more than 0 MiB", {.footer_bytes = 100});
}

TEST_CASE("a false number of rows, for the file, for a row group, for everything") {
  const std::string good = good_file();
  const std::size_t footer = footer_start(good);
  const std::string real = thrift_number(kRows), fewer = thrift_number(kRows - 1),
                    more = thrift_number(kRows + 1);
  // The footer holds the number three times: of the file, of the column chunk, of the row group.
  for (const std::string& other : {fewer, more}) {
    check_bad(patched(good, footer, real, other, 0), kData,
              " is damaged: its row groups do not have the number of rows that it claims");
    check_bad(patched(good, footer, real, other, 1), kData,
              " is damaged: column 'ward' does not have the number of rows that the file claims");
    check_bad(patched(good, footer, real, other, 2), kData,
              " is damaged: column 'ward' does not have the number of rows that the file claims");
    check_bad(patched(good, footer, real, other), kData,
              " is damaged: row group 1 does not have the number of rows it claims");
  }
}

TEST_CASE("an index that points outside the dictionary") {
  // After two rows of their own, the index 2, in two bits: 3 fits, but is none. The first eight
  // rows are packed, the others are one run.
  const std::string good = good_file();
  const std::string old_run = varint(std::uint64_t{kRows - 8} << 1) + '\x02';
  const std::string new_run = varint(std::uint64_t{kRows - 8} << 1) + '\x03';
  check_bad(patched(good, 0, old_run, new_run, 0), kData,
            ": column 'ward' is damaged (an index points outside its dictionary); write the file "
            "again");
}

TEST_CASE("nested columns are refused by name") {
  const TempDir dir;
  auto values = std::make_shared<arrow::Int32Builder>();
  arrow::ListBuilder lists(arrow::default_memory_pool(), values);
  REQUIRE(lists.Append().ok());
  REQUIRE(values->Append(1).ok());
  const auto list = write_parquet(dir / "list.parquet", {{"bag", lists.Finish().ValueOrDie()}});
  check_error(read_error({list}), kData,
              list.string() + ": column 'bag' is nested; only flat columns can be read");
  const auto inner = texts({"marker"});
  const auto group =
      arrow::StructArray::Make({inner}, std::vector<std::string>{"inner"}).ValueOrDie();
  const auto nested = write_parquet(dir / "group.parquet", {{"pair", group}});
  check_error(read_error({nested}), kData,
              nested.string() + ": column 'pair' is nested; only flat columns can be read");
}

TEST_CASE("a type that has no place in a schema") {
  const TempDir dir;
  const auto times =
      array_of<arrow::Time32Builder, std::int32_t>({1}, arrow::time32(arrow::TimeUnit::MILLI));
  const auto path = write_parquet(dir / "t.parquet", {{"hour", times}});
  check_error(read_error({path}), kData,
              path.string() + ": column 'hour' has a type that cannot be read");
}

TEST_CASE("an encrypted file") {
  std::string file = good_file();
  file.replace(0, 4, "PARE");
  file.replace(file.size() - 4, 4, "PARE");
  check_bad(file, kData, " is encrypted; decrypt it first");
}

TEST_CASE("an unknown codec, and one that is known but not at hand") {
  // In the column's metadata the codec (field 4, a small number) follows the column's name.
  const std::string good = good_file(parquet::Compression::ZSTD);
  const std::string before = "ward\x15", zstd = "\x0C", unknown = "\x7E", lzo = "\x06";
  for (const std::string& codec : {unknown, lzo}) {
    check_bad(patched(good, footer_start(good), before + zstd, before + codec), kData,
              " compresses column 'ward' in a way that cannot be read; write it with zstd, snappy "
              "or gzip");
  }
  // Nor where nothing else gives it away: the sizes are those of a file that is not compressed.
  const std::string plain = good_file(), none(1, '\0');
  check_bad(patched(plain, footer_start(plain), before + none, before + unknown), kData,
            " compresses column 'ward' in a way that cannot be read; write it with zstd, snappy "
            "or gzip");
}

TEST_CASE("a few bytes that unpack into many") {
  const TempDir dir;
  // One page of 64 MiB, the same letter all through.
  const auto path = write_parquet(dir / "t.parquet", {{"a", texts({std::string(64 << 20, 'm')})}},
                                  parquet::Compression::ZSTD, 1, false);
  CHECK(std::filesystem::file_size(path) < 64 << 10);
  const Error error = read_error({path}, {}, {.memory = 32 << 20});
  check_error(error, kLimit,
              "reading " + path.string() +
                  " takes more than 32 MiB of memory; write it again with smaller pages and row "
                  "groups");
}

TEST_CASE("more columns or rows than allowed") {
  const TempDir dir;
  const auto path =
      write_parquet(dir / "t.parquet",
                    {{"a", texts({"1", "2"})}, {"b", texts({"1", "2"})}, {"c", texts({"1", "2"})}});
  check_error(read_error({path}, {}, {.columns = 2}), kLimit,
              path.string() + " has 3 columns; at most 2 can be read");
  check_error(read_error({path}, {}, {.rows = 1}), kLimit, path.string() + " has more than 1 rows");
}

TEST_CASE("a byte changed anywhere is an error or another table, never a crash or a quote") {
  const TempDir dir;
  const auto good = read_bytes(
      write_parquet(dir / "good.parquet",
                    {{"ward", texts({"marker", "x", std::nullopt, "y"})},
                     {"n", array_of<arrow::Int32Builder, std::int32_t>({1, 2, std::nullopt, 4})}},
                    parquet::Compression::SNAPPY));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    const auto path = dir.write("t.parquet", bytes);
    auto reader = TableReader::open({path}, {}, {.memory = 64 << 20});
    if (!reader.ok()) {
      CHECK(reader.error().message.find("marker") == std::string::npos);
      continue;
    }
    const ReadResult result = read_rows(*reader, all_columns(*reader));
    if (!result.status.ok()) {
      CHECK(result.status.error().message.find("marker") == std::string::npos);
    }
  }
}
