#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "privpfc/base/sha256.h"
#include "privpfc/pipeline/publish.h"
#include "privpfc/pipeline/synthetic_counts.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/release/release_check.h"
#include "privpfc/release/release_reader.h"
#include "privpfc/release/release_writer.h"
#include "privpfc/release/synthetic_file.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/table/encoder.h"
#include "support/seeded_bits.h"
#include "support/temporary_folder.h"
#include "support/test_budget.h"

using namespace privpfc;
namespace fs = std::filesystem;

namespace {

const std::string kSchema = R"(
name: everything
label: {column: y, classes: [a, b, c], other: a}
attributes:
  n: {type: integer, domain: [0, 99], levels: [4, 2], missing: [NA]}
  r: {type: real, domain: [-1, 1], cuts: [-0.5, 0.25], closed: right, other: 0}
  d: {type: date, domain: [2020-01-01, 2020-12-31], cuts: [2020-07-01], other: 2020-01-01}
  t: {type: categorical, tree: {G: [p, q], s: }, missing: ["?"], other: true}
  o: {type: ordinal, values: [low, mid, high], other: mid}
  b: {type: boolean, missing: [""]}
)";

Schema schema() {
  return *read_schema_text(kSchema).schema;
}

// Rows in which every attribute depends on the class, so that grids with many axes win.
EncodedTable table(std::size_t rows) {
  const Schema of = schema();
  std::mt19937 random(5);
  EncodedBatch batch;
  batch.rows = rows;
  batch.codes.resize(of.attributes.size());
  for (std::size_t row = 0; row < rows; ++row) {
    batch.classes.push_back(static_cast<std::uint8_t>(random() % 3));
  }
  for (std::size_t i = 0; i < of.attributes.size(); ++i) {
    std::vector<std::uint8_t> codes;
    const std::size_t leaves = of.attributes[i].hierarchy.leaf_count();
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t hint = (batch.classes[row] * (i + 1)) % leaves;
      codes.push_back(static_cast<std::uint8_t>(random() % 3 == 0 ? random() % leaves : hint));
    }
    batch.codes[i] = std::move(codes);
  }
  EncodedTable result;
  result.append(std::move(batch));
  return result;
}

Released<Synopsis> synopsis(bool all_columns) {
  SeededBits bits(11);
  Kernel kernel(bits);
  PublishOptions options;
  if (all_columns) options.shares.columns = 20'000;
  return publish(Private<EncodedTable>(table(3000)), schema(), options, kernel, TestBudget::of("2"),
                 [](std::string_view) {});
}

Manifest write(const fs::path& path, bool all_columns = false,
               NumericStyle style = NumericStyle::kDrawn) {
  auto staging = StagingDirectory::create(path);
  REQUIRE(staging.ok());
  auto manifest =
      write_release(std::move(*staging), synopsis(all_columns), schema(), style, 0x1234);
  REQUIRE_MESSAGE(manifest.ok(), (manifest.ok() ? "" : manifest.error().message));
  return *manifest;
}

std::size_t failed_checks(const fs::path& path) {
  const auto findings = check_release(path);
  if (!findings.ok()) return 1000;
  std::size_t failed = 0;
  for (const ReleaseFinding& finding : *findings) failed += finding.passed ? 0 : 1;
  return failed;
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("a release is written whole, can be read back, and passes its own checks") {
  for (const bool all_columns : {false, true}) {
    for (const NumericStyle style : {NumericStyle::kDrawn, NumericStyle::kLabels}) {
      CAPTURE(all_columns);
      const TemporaryFolder folder;
      const Manifest written = write(folder / "release", all_columns, style);
      CHECK(failed_checks(folder / "release") == 0);
      auto release = open_release(folder / "release");
      REQUIRE_MESSAGE(release.ok(), (release.ok() ? "" : release.error().message));
      CHECK(release->manifest.epsilon == eps("2"));
      REQUIRE(read_release_counts(*release).ok());
      const Released<Synopsis> again = synopsis(all_columns);
      CHECK(release->manifest.synopsis.cell_counts == again.value().cell_counts);
      CHECK(release->manifest.synopsis.class_counts == again.value().class_counts);
      CHECK(release->manifest.synopsis.side_columns.size() == again.value().side_columns.size());
      CHECK(write_manifest(release->manifest, release->schema) ==
            slurp(folder / "release" / std::string(kManifestFile)));
      CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
    }
  }
}

TEST_CASE("the same synopsis and seed give the same bytes; another seed gives other rows") {
  const TemporaryFolder folder;
  write(folder / "one");
  write(folder / "two");
  for (const auto& entry : fs::directory_iterator(folder / "one")) {
    CHECK(slurp(entry.path()) == slurp(folder / "two" / entry.path().filename().string()));
  }
  const Released<Synopsis> same = synopsis(false);
  const SyntheticTable first(schema(), same.value(), NumericStyle::kDrawn, 1);
  const SyntheticTable second(schema(), same.value(), NumericStyle::kDrawn, 2);
  CHECK(first.rows() == second.rows());
}

TEST_CASE("the bytes of the synthetic rows do not depend on the threads, nor on the batches") {
  const TemporaryFolder folder;
  for (const NumericStyle style : {NumericStyle::kDrawn, NumericStyle::kLabels}) {
    Synopsis large = synopsis(true).value();
    for (std::int64_t& count : large.class_counts) count *= 100;
    for (std::int64_t& count : large.cell_counts) count *= 100;
    const SyntheticTable rows(schema(), large, style, 77);
    REQUIRE(rows.rows() > 200'000);  // several batches and row groups
    std::vector<std::string> bytes;
    for (const unsigned threads : {1u, 2u, 3u}) {
      FileDigest digest;
      const fs::path path = folder / std::to_string(threads);
      REQUIRE(write_synthetic(path.string() + ".parquet", rows, "{}", threads, false, digest).ok());
      bytes.push_back(slurp(path.string() + ".parquet"));
      CHECK(digest.sha256 == sha256_hex(bytes.back()));
      CHECK(digest.bytes == bytes.back().size());
      CHECK((bytes.back() == bytes.front()));
      fs::remove(path.string() + ".parquet");
    }
  }
}

TEST_CASE("a limit on the rows is kept, published, and replayed") {
  const TemporaryFolder folder;
  auto staging = StagingDirectory::create(folder / "release");
  REQUIRE(staging.ok());
  const auto manifest = write_release(std::move(*staging), synopsis(true), schema(),
                                      NumericStyle::kDrawn, 0x1234, /*most_rows=*/1'000);
  REQUIRE(manifest.ok());
  CHECK(manifest->synthetic_rows == 1'000);
  CHECK(failed_checks(folder / "release") == 0);
  CHECK(open_release(folder / "release")->manifest.synthetic_most_rows == 1'000);
}

TEST_CASE("cells and classes that cannot be numbered are refused beforehand") {
  CHECK(check_synthesis(schema(), 1'000'000'000).ok());
  CHECK_FALSE(check_synthesis(schema(), 2'000'000'000).ok());
}

TEST_CASE(
    "synthetic rows, read as any table, fall into the released cells as often as they should") {
  const TemporaryFolder folder;
  write(folder / "release", /*all_columns=*/true);
  const Schema of = schema();
  const Released<Synopsis> released = synopsis(true);
  const Synopsis& from = released.value();
  auto reader = TableReader::open({folder / "release" / std::string(kSyntheticFile)});
  REQUIRE(reader.ok());
  CHECK(reader->columns().size() == of.attributes.size() + 1);
  // Groups have names that are no values: only numeric axes can be read back by the schema.
  const auto encoder = Encoder::create(of, reader->columns());
  REQUIRE_MESSAGE(encoder.ok(), (encoder.ok() ? "" : encoder.error().message));
  const auto rows = encode_table(*reader, *encoder, 1);
  REQUIRE(rows.ok());
  const std::vector<std::uint64_t> counts = synthetic_counts(from);
  for (const Synopsis::Axis& axis : from.axes) {
    const Attribute& attribute = of[axis.attribute];
    if (!attribute.bins) continue;
    CAPTURE(attribute.name);
    const std::size_t nodes = attribute.hierarchy.node_count(axis.level);
    std::vector<std::uint64_t> expected(nodes, 0);
    std::vector<std::uint64_t> found(nodes, 0);
    std::size_t stride = 3;
    for (auto later = from.axes.rbegin(); later->attribute != axis.attribute; ++later) {
      stride *= of[later->attribute].hierarchy.node_count(later->level);
    }
    for (std::size_t i = 0; i < counts.size(); ++i) expected[i / stride % nodes] += counts[i];
    for (const EncodedBatch& batch : rows->batches()) {
      std::visit(
          [&](auto codes) {
            for (const auto code : codes) {
              ++found[attribute.hierarchy.nodes_of_leaves(axis.level)[code]];
            }
          },
          batch.attribute(axis.attribute));
    }
    CHECK(found == expected);
  }
}

TEST_CASE("whatever is changed in a release, verify sees it") {
  const TemporaryFolder folder;
  write(folder / "release", true);
  for (const auto& entry : fs::directory_iterator(folder / "release")) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    const fs::path copy = folder / "copy";
    fs::copy(folder / "release", copy);
    std::string bytes = slurp(copy / name);
    const std::size_t middle =
        name == kManifestFile ? bytes.find("\"epsilon\": \"") + 12 : bytes.size() / 2;
    bytes[middle] = static_cast<char>(bytes[middle] ^ 1);
    std::ofstream(copy / name, std::ios::binary) << bytes;
    CHECK(failed_checks(copy) > 0);
    if (name == kManifestFile) {
      const auto findings = check_release(copy);
      REQUIRE(findings.ok());
      CHECK(std::any_of(findings->begin(), findings->end(), [](const ReleaseFinding& finding) {
        return finding.check == "epsilon of the steps adds up" && !finding.passed;
      }));
    }
    fs::remove_all(copy);

    fs::copy(folder / "release", copy);
    fs::remove(copy / name);
    CHECK(failed_checks(copy) > 0);
    fs::remove_all(copy);
  }
  std::ofstream(folder / "release" / "stranger.txt") << "x";
  CHECK(failed_checks(folder / "release") == 1);
}

TEST_CASE("a manifest that is not one is refused, whatever it is") {
  const TemporaryFolder folder;
  write(folder / "release");
  const std::string good = slurp(folder / "release" / std::string(kManifestFile));
  REQUIRE(read_manifest(good, schema()).ok());
  for (const std::string bad :
       {"", "{}", "[]", "null", "{\"format\": 5}", "{\"format\": \"privpfc release\"}"}) {
    CHECK_FALSE(read_manifest(bad, schema()).ok());
  }
  CHECK_FALSE(read_manifest(std::string(100'000, '['), schema()).ok());
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {  // cut or garbled anywhere: an answer, never a crash
    std::string text = good;
    if (i % 2 == 0) {
      text.resize(random() % text.size());
    } else {
      text[random() % text.size()] = static_cast<char>(random());
    }
    (void)read_manifest(text, schema());
  }
}
