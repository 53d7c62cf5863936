#include "privpfc/sample/sample_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <variant>

#include "io/temp_dir.h"
#include "privpfc/base/sha256.h"
#include "privpfc/schema/schema_reader.h"

using namespace privpfc;
using testing::read_bytes;
using testing::TempDir;

namespace {

std::string csv_of(const SampleOptions& options, const TempDir& dir) {
  const auto path = dir / "t.csv";
  auto writer = TableWriter::create(path, sample_columns(options.classes), {.overwrite = true});
  REQUIRE(writer.ok());
  REQUIRE(write_sample(options, *writer).ok());
  REQUIRE(writer->close().ok());
  return read_bytes(path);
}

// Every value of a batch as text, column by column for each row.
std::string text_of(const SampleBatch& batch) {
  const auto slices = batch.slices();
  const auto rows = std::visit([](auto span) { return span.size(); }, slices.front().values);
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (const OutputSlice& slice : slices) {
      if (!slice.valid.empty() && slice.valid[row] == 0) {
        text += "null,";
        continue;
      }
      std::visit(
          [&](auto span) {
            if constexpr (requires { std::to_string(span[row]); }) {
              text += std::to_string(span[row]) + ',';
            }
          },
          slice.values);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("a batch does not depend on the batches before it") {
  SampleBatch whole(SampleClasses::kThree), piece(SampleClasses::kThree);
  whole.fill(11, 0, 1000);
  std::string pieces;
  for (std::size_t first = 0; first < 1000;) {
    const std::size_t count = std::min<std::size_t>(first % 7 + 1, 1000 - first);
    piece.fill(11, first, count);
    pieces += text_of(piece);
    first += count;
  }
  CHECK(pieces == text_of(whole));
}

TEST_CASE("fewer rows are the beginning of more") {
  const TempDir dir;
  const std::string hundred = csv_of({.rows = 100, .seed = 4}, dir);
  const std::string many = csv_of({.rows = 70'000, .seed = 4}, dir);  // more than one batch
  CHECK(many.starts_with(hundred));
  CHECK(std::count(many.begin(), many.end(), '\n') == 70'001);
}

TEST_CASE("the table of seed 1 is what it has always been") {
  const TempDir dir;
  CHECK(sha256_hex(csv_of({.rows = 1000}, dir)) ==
        "ba8ebc43b647f5a58e53ec68805a91919d548e102764386ad5d392424d871f8e");
  CHECK(sha256_hex(csv_of({.rows = 1000, .classes = SampleClasses::kThree}, dir)) ==
        "bfcfae2ff919e0dd404d256f0a0211d0f8476d89d86bee31d8a4f19e3766a669");
}

TEST_CASE("two and three classes tell of the same patients") {
  const TempDir dir;
  std::string two = csv_of({.rows = 1000, .classes = SampleClasses::kTwo}, dir);
  std::string three = csv_of({.rows = 1000, .classes = SampleClasses::kThree}, dir);
  CHECK(two != three);
  for (const std::string name : {",later\n", ",within-30-days\n"}) {
    for (auto at = three.find(name); at != std::string::npos; at = three.find(name, at)) {
      three.replace(at, name.size(), ",yes\n");
    }
  }
  CHECK(two == three);
}

TEST_CASE("the schema has a place of its own for every value of every column") {
  for (const SampleClasses classes : {SampleClasses::kTwo, SampleClasses::kThree}) {
    const auto reading = read_schema_text(sample_schema_yaml(classes));
    CHECK(reading.findings.empty());
    REQUIRE(reading.schema.has_value());
    const Schema& schema = *reading.schema;
    const auto columns = sample_columns(classes);
    REQUIRE(columns.size() == schema.attributes.size() + 1);
    CHECK(std::get<std::string>(schema.label.column) == columns.back().name);
    CHECK(schema.label.classes == columns.back().categories);

    SampleBatch batch(classes);
    batch.fill(1, 0, 20'000);
    const auto slices = batch.slices();
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
      const Attribute& attribute = schema.attributes[i];
      CAPTURE(attribute.name);
      CHECK(attribute.name == columns[i].name);
      CHECK(attribute.has_missing_leaf == columns[i].nullable);
      for (const std::string& category : columns[i].categories) {
        CHECK(std::any_of(attribute.spellings.begin(), attribute.spellings.end(),
                          [&](const auto& spelling) { return spelling.first == category; }));
      }
      if (attribute.bins) {
        std::visit(
            [&](auto values) {
              if constexpr (requires { values[0] < 1.0; }) {
                const auto [low, high] = std::minmax_element(values.begin(), values.end());
                CHECK(static_cast<double>(*low) >= attribute.bins->edges.front());
                CHECK(static_cast<double>(*high) <= attribute.bins->edges.back());
              }
            },
            slices[i].values);
      }
    }
  }
}

TEST_CASE("the progress of a table is told up to its end") {
  const TempDir dir;
  auto writer = TableWriter::create(dir / "t.csv", sample_columns(SampleClasses::kTwo));
  REQUIRE(writer.ok());
  std::uint64_t last = 0;
  REQUIRE(write_sample({.rows = 70'000}, *writer, [&](std::uint64_t done) {
            CHECK(done > last);
            last = done;
          }).ok());
  CHECK(last == 70'000);
}

TEST_CASE("samples/ holds what `privpfc sample` writes") {
  const std::filesystem::path samples = std::filesystem::path(PRIVPFC_SOURCE_DIR) / "samples";
  CHECK(read_bytes(samples / "readmission.yaml") == sample_schema_yaml(SampleClasses::kTwo));
  CHECK(read_bytes(samples / "readmission3.yaml") == sample_schema_yaml(SampleClasses::kThree));
  const TempDir dir;
  CHECK((read_bytes(samples / "readmission.csv") == csv_of({.rows = 10'000}, dir)));
}
