#include <arrow/api.h>
#include <arrow/io/file.h>
#include <doctest/doctest.h>
#include <parquet/arrow/reader.h>

#include <random>

#include "io/temp_dir.h"
#include "privpfc/io/packed_pages.h"
#include "privpfc/io/table_writer.h"
#include "support/effort.h"

using namespace privpfc;
using testing::read_bytes;
using testing::TempDir;
using Kind = OutputColumn::Kind;

namespace {

std::vector<OutputColumn> coded_columns() {
  std::vector<double> many;
  for (int i = 0; i < 40'000; ++i) many.push_back(i * 0.25);
  return {{.name = "year", .kind = Kind::kInteger, .numbers = {1999, -7, 2001}},
          {.name = "share", .kind = Kind::kReal, .nullable = true, .numbers = many},
          {.name = "day", .kind = Kind::kDate, .nullable = true, .numbers = {-1, 0, 20'000}},
          {.name = "one", .kind = Kind::kReal, .nullable = true, .numbers = {0.5}},
          {.name = "smoker", .kind = Kind::kBoolean, .nullable = true},
          {.name = "sure", .kind = Kind::kBoolean},
          {.name = "ward",
           .kind = Kind::kCategory,
           .nullable = true,
           .categories = {"", "heart", "bone, and joint", "\u00e9"}},
          {.name = "label", .kind = Kind::kCategory, .categories = {"no", "yes"}, .ordered = true}};
}

// The same rows however they are written: codes below each column's limit, some of them null.
void write_coded(const std::filesystem::path& path, std::size_t rows, std::size_t batch,
                 WriterOptions options) {
  const std::vector<OutputColumn> columns = coded_columns();
  std::vector<std::vector<std::uint16_t>> codes(columns.size());
  std::vector<std::vector<std::uint8_t>> bytes(columns.size());
  std::vector<std::vector<std::uint8_t>> valid(columns.size());
  std::mt19937 random(1);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t limit = columns[i].kind == Kind::kBoolean    ? 2
                              : columns[i].kind == Kind::kCategory ? columns[i].categories.size()
                                                                   : columns[i].numbers.size();
    for (std::size_t row = 0; row < rows; ++row) {
      codes[i].push_back(static_cast<std::uint16_t>(random() % limit));
      bytes[i].push_back(static_cast<std::uint8_t>(codes[i].back()));
      valid[i].push_back(columns[i].nullable && random() % 5 == 0 ? 0 : 1);
    }
  }
  auto writer = TableWriter::create(path, columns, std::move(options));
  REQUIRE(writer.ok());
  for (std::size_t first = 0; first < rows; first += batch) {
    const std::size_t count = std::min(batch, rows - first);
    std::vector<OutputSlice> slices;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      OutputSlice slice;
      if (columns[i].kind == Kind::kBoolean) {
        slice.values = std::span<const std::uint8_t>(bytes[i]).subspan(first, count);
      } else {
        slice.values = std::span<const std::uint16_t>(codes[i]).subspan(first, count);
      }
      if (columns[i].nullable) {
        slice.valid = std::span<const std::uint8_t>(valid[i]).subspan(first, count);
      }
      slices.push_back(slice);
    }
    REQUIRE(writer->write(slices).ok());
  }
  REQUIRE(writer->close().ok());
}

std::shared_ptr<arrow::Table> read(const std::filesystem::path& path) {
  auto file = arrow::io::ReadableFile::Open(path.string()).ValueOrDie();
  auto reader = parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
  auto table = reader->ReadTable().ValueOrDie();
  REQUIRE(table->ValidateFull().ok());
  return table->CombineChunks().ValueOrDie();
}

}  // namespace

TEST_CASE("packed columns read back as what Arrow's own writer makes of the same codes") {
  const TempDir dir;
  for (const std::size_t rows : {0u, 1u, 7u, 504u, 505u, 70'000u, 1'100'000u}) {
    CAPTURE(rows);
    if (rows > 100'000 && !kFullPower) continue;
    for (const Compression codec : {Compression::kNone, Compression::kSnappy, Compression::kZstd}) {
      if (rows > 100'000 && codec != Compression::kSnappy) continue;
      WriterOptions options{
          .overwrite = true, .compression = codec, .metadata = {{"privpfc", "{\"a\": 1}"}}};
      write_coded(dir / "plain.parquet", rows, 50'000, options);
      options.packed = true;
      write_coded(dir / "packed.parquet", rows, 50'000, options);
      const auto plain = read(dir / "plain.parquet");
      const auto packed = read(dir / "packed.parquet");
      // Without rows the two agree to the byte.
      CHECK((read_bytes(dir / "plain.parquet") == read_bytes(dir / "packed.parquet")) ==
            (rows == 0));
      CHECK(packed->num_rows() == static_cast<std::int64_t>(rows));
      CHECK(packed->schema()->Equals(*plain->schema(), /*check_metadata=*/true));
      for (int i = 0; i < plain->num_columns(); ++i) {
        CAPTURE(i);
        CHECK(packed->column(i)->Equals(plain->column(i)));
      }
    }
  }
}

TEST_CASE("the bytes of packed columns depend neither on the batches nor on the threads") {
  const TempDir dir;
  write_coded(dir / "a.parquet", 1'200'000, 1'200'000, {.packed = true});
  write_coded(dir / "b.parquet", 1'200'000, 77'777, {.packed = true, .threads = 3});
  CHECK((read_bytes(dir / "a.parquet") == read_bytes(dir / "b.parquet")));
}

TEST_CASE("listed numbers reach CSV as themselves") {
  const TempDir dir;
  write_coded(dir / "t.csv", 1, 1, {});
  const std::string text = read_bytes(dir / "t.csv");
  CHECK(text.starts_with("year,share,day,one,smoker,sure,ward,label\n"));
}

TEST_CASE("numbers are packed lowest first, in runs of groups of eight") {
  std::vector<std::uint8_t> bytes;
  append_packed(std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6, 7}, 3, bytes);
  // The example of the format's description: one group of eight, three bits each.
  CHECK(bytes == std::vector<std::uint8_t>{3, 0x88, 0xC6, 0xFA});
  bytes.clear();
  append_packed(std::vector<std::uint16_t>{0xFFFF, 1}, 16, bytes);
  CHECK(bytes.size() == 17);
  CHECK(bytes[1] == 0xFF);
  CHECK(bytes[2] == 0xFF);
  CHECK(bytes[3] == 1);
  bytes.clear();
  append_packed(std::vector<std::uint16_t>(200, 0), 0, bytes);
  CHECK(bytes == std::vector<std::uint8_t>{0x90, 0x03});  // 200 times the only number there is
}
