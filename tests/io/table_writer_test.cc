#include "privpfc/io/table_writer.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <doctest/doctest.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <sys/stat.h>

#include <limits>

#include "io/temp_dir.h"
#include "privpfc/base/sha256.h"

using namespace privpfc;
using testing::read_bytes;
using testing::TempDir;
using Kind = OutputColumn::Kind;

namespace {

std::vector<OutputColumn> mixed_columns() {
  return {{.name = "age", .kind = Kind::kInteger, .nullable = true},
          {.name = "weight", .kind = Kind::kReal},
          {.name = "seen", .kind = Kind::kDate},
          {.name = "smoker", .kind = Kind::kBoolean},
          {.name = "ward",
           .kind = Kind::kCategory,
           .nullable = true,
           .categories = {"never", "heart", "bone, and joint"},
           .ordered = true},
          {.name = "note", .kind = Kind::kText, .nullable = true}};
}

// `rows` rows in batches of `batch`.
void write_mixed(TableWriter& writer, std::size_t rows, std::size_t batch) {
  for (std::size_t first = 0; first < rows; first += batch) {
    const std::size_t count = std::min(batch, rows - first);
    std::vector<std::int64_t> age;
    std::vector<double> weight;
    std::vector<std::int32_t> seen;
    std::vector<std::uint8_t> smoker, valid;
    std::vector<std::uint16_t> ward;
    std::vector<std::string> note;
    for (std::size_t i = first; i < first + count; ++i) {
      age.push_back(static_cast<std::int64_t>(i % 90));
      weight.push_back(static_cast<double>(i) * 0.1);
      seen.push_back(static_cast<std::int32_t>(i % 20000) - 1);
      smoker.push_back(i % 3 == 0);
      valid.push_back(i % 4 != 3);
      ward.push_back(static_cast<std::uint16_t>(1 + i % 2));
      note.push_back(i % 2 == 0 ? "a \"b\"\nc" : "");
    }
    const OutputSlice slices[] = {
        {std::span<const std::int64_t>(age), valid},   {std::span<const double>(weight)},
        {std::span<const std::int32_t>(seen)},         {std::span<const std::uint8_t>(smoker)},
        {std::span<const std::uint16_t>(ward), valid}, {std::span<const std::string>(note), valid}};
    REQUIRE(writer.write(slices).ok());
  }
}

std::filesystem::path write_mixed(const std::filesystem::path& path, std::size_t rows,
                                  std::size_t batch, WriterOptions options = {}) {
  auto writer = TableWriter::create(path, mixed_columns(), std::move(options));
  REQUIRE(writer.ok());
  write_mixed(*writer, rows, batch);
  REQUIRE(writer->close().ok());
  return path;
}

std::unique_ptr<parquet::arrow::FileReader> open_parquet(const std::filesystem::path& path) {
  auto file = arrow::io::ReadableFile::Open(path.string()).ValueOrDie();
  return parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
}

}  // namespace

TEST_CASE("CSV is written exactly: quotes where needed, nulls empty, empty text quoted") {
  const TempDir dir;
  const auto path = write_mixed(dir / "t.csv", 4, 4);
  CHECK(read_bytes(path) ==
        "age,weight,seen,smoker,ward,note\n"
        "0,0,1969-12-31,true,heart,\"a \"\"b\"\"\nc\"\n"
        "1,0.1,1970-01-01,false,\"bone, and joint\",\"\"\n"
        "2,0.2,1970-01-02,false,heart,\"a \"\"b\"\"\nc\"\n"
        ",0.30000000000000004,1970-01-03,true,,\n");
}

TEST_CASE("the bytes do not depend on how rows were cut into batches") {
  const TempDir dir;
  for (const std::string extension : {"csv", "parquet"}) {
    CAPTURE(extension);
    const auto whole = write_mixed(dir / ("whole." + extension), 150'000, 150'000);
    const auto pieces = write_mixed(dir / ("pieces." + extension), 150'000, 7'777);
    CHECK((read_bytes(whole) == read_bytes(pieces)));
  }
}

TEST_CASE("the bytes do not depend on the threads, and are hashed as they are written") {
  const TempDir dir;
  for (const std::string extension : {"csv", "parquet"}) {
    CAPTURE(extension);
    const auto one = write_mixed(dir / ("one." + extension), 300'000, 50'000);
    FileDigest digest;
    const auto three = write_mixed(dir / ("three." + extension), 300'000, 50'000,
                                   {.digest = &digest, .threads = 3});
    CHECK((read_bytes(one) == read_bytes(three)));
    CHECK(digest.sha256 == sha256_hex(read_bytes(one)));
    CHECK(digest.bytes == read_bytes(one).size());
  }
}

TEST_CASE("Parquet holds every category of the dictionary, in order, and the types") {
  const TempDir dir;
  WriterOptions options{.metadata = {{"privpfc", "{\"a\": 1}"}}};
  const auto path = write_mixed(dir / "t.parquet", 150'000, 10'000, options);
  const auto reader = open_parquet(path);
  const auto table = reader->ReadTable().ValueOrDie();
  REQUIRE(table->ValidateFull().ok());
  CHECK(table->num_rows() == 150'000);
  CHECK(table->schema()->ToString() ==
        "age: int64\nweight: double not null\nseen: date32[day] not null\n"
        "smoker: bool not null\nward: dictionary<values=string, indices=int32, ordered=1>\n"
        "note: string");
  CHECK(table->schema()->metadata()->Get("privpfc").ValueOr("") == "{\"a\": 1}");
  const auto& pairs = *reader->parquet_reader()->metadata()->key_value_metadata();
  CHECK(pairs.Get("privpfc").ValueOr("") == "{\"a\": 1}");
  const auto& ward = static_cast<const arrow::DictionaryArray&>(*table->column(4)->chunk(0));
  CHECK(ward.dictionary()->ToString() == "[\n  \"never\",\n  \"heart\",\n  \"bone, and joint\"\n]");
  CHECK(ward.GetValueIndex(1) == 2);
  CHECK(ward.IsNull(3));
  CHECK(table->column(5)->GetScalar(0).ValueOrDie()->ToString() == "a \"b\"\nc");
  CHECK(reader->num_row_groups() == 2);
}

TEST_CASE("a file without rows still has its columns") {
  const TempDir dir;
  CHECK(read_bytes(write_mixed(dir / "t.csv", 0, 1)) == "age,weight,seen,smoker,ward,note\n");
  const auto table = open_parquet(write_mixed(dir / "t.parquet", 0, 1))->ReadTable().ValueOrDie();
  CHECK(table->num_columns() == 6);
  CHECK(table->num_rows() == 0);
}

TEST_CASE("numbers at the edge of their type read back") {
  const TempDir dir;
  auto writer = TableWriter::create(
      dir / "t.csv", {{.name = "i", .kind = Kind::kInteger}, {.name = "r", .kind = Kind::kReal}});
  REQUIRE(writer.ok());
  const std::int64_t integers[] = {std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()};
  const double reals[] = {std::numeric_limits<double>::denorm_min(), -1e300};
  const OutputSlice slices[] = {{std::span<const std::int64_t>(integers)},
                                {std::span<const double>(reals)}};
  REQUIRE(writer->write(slices).ok());
  REQUIRE(writer->close().ok());
  CHECK(read_bytes(dir / "t.csv") ==
        "i,r\n-9223372036854775808,5e-324\n9223372036854775807,-1e+300\n");
}

TEST_CASE("an unfinished file is not seen, a finished one stays and only its owner may read it") {
  const TempDir dir;
  for (const std::string name : {"t.csv", "t.parquet"}) {
    CAPTURE(name);
    {
      auto writer = TableWriter::create(dir / name, mixed_columns());
      REQUIRE(writer.ok());
      write_mixed(*writer, 10, 10);
      CHECK(std::filesystem::is_empty(dir.path()));
    }
    CHECK(std::filesystem::is_empty(dir.path()));
    write_mixed(dir / name, 10, 10, {.sync = true});
    struct stat status {};
    REQUIRE(::stat((dir / name).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    std::filesystem::remove(dir / name);
  }
}

TEST_CASE("a file that appears meanwhile is not overwritten") {
  const TempDir dir;
  auto writer = TableWriter::create(dir / "t.csv", mixed_columns());
  REQUIRE(writer.ok());
  dir.write("t.csv", "precious");
  const Status closed = writer->close();
  REQUIRE_FALSE(closed.ok());
  CHECK(closed.error().kind == ErrorKind::kIo);
  CHECK(read_bytes(dir / "t.csv") == "precious");
}

TEST_CASE("an existing file is kept unless it may be overwritten") {
  const TempDir dir;
  const auto path = dir.write("t.csv", "precious");
  const auto refused = TableWriter::create(path, mixed_columns());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kIo);
  CHECK(refused.error().message ==
        path.string() + " exists already; choose another name or remove it first");
  CHECK(read_bytes(path) == "precious");
  write_mixed(path, 0, 1, {.overwrite = true});
  CHECK(read_bytes(path) == "age,weight,seen,smoker,ward,note\n");
}

TEST_CASE("what cannot be written is said, with the file's name") {
  const TempDir dir;
  const auto unknown = TableWriter::create(dir / "t.xlsx", mixed_columns());
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().kind == ErrorKind::kUsage);
  CHECK(unknown.error().message ==
        (dir / "t.xlsx").string() + ": cannot tell the format; end the name in .csv or .parquet");

  const auto nowhere = TableWriter::create(dir / "none/t.csv", mixed_columns());
  REQUIRE_FALSE(nowhere.ok());
  CHECK(nowhere.error().message ==
        "cannot create " + (dir / "none/t.csv").string() + ": No such file or directory");

  const auto device = TableWriter::create("/dev/full", mixed_columns(),
                                          {.format = FileFormat::kCsv, .overwrite = true});
  REQUIRE_FALSE(device.ok());
  CHECK(device.error().message == "/dev/full is not a regular file; give a file to write to");

  const auto twice = TableWriter::create(
      dir / "t.csv", {{.name = "a", .kind = Kind::kCategory, .categories = {"x", "x"}}});
  REQUIRE_FALSE(twice.ok());
  CHECK(twice.error().message == "column 'a' lists the category 'x' twice");
}

TEST_CASE("a text that is not UTF-8 does not reach a Parquet file, nor the message") {
  const TempDir dir;
  auto writer = TableWriter::create(dir / "t.parquet", {{.name = "a", .kind = Kind::kText}});
  REQUIRE(writer.ok());
  const std::string texts[] = {"marker\xff"};
  const OutputSlice slices[] = {{std::span<const std::string>(texts)}};
  const Status status = writer->write(slices);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().message ==
        "cannot write " + (dir / "t.parquet").string() + " as Parquet: a text is not UTF-8");
}
