#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>

#include "privpfc/base/sha256.h"
#include "privpfc/pipeline/person_epsilon.h"
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
#include "support/stops.h"
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

Schema person_schema() {
  return *read_schema_text(kSchema + "person: {column: patient_id, most_rows: 3}\n").schema;
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

// The same rows, epsilon 2 being promised to persons of at most three.
Manifest write_for_persons(const fs::path& path) {
  SeededBits bits(11);
  Kernel kernel(bits);
  const Schema of = person_schema();
  const Released<Synopsis> released =
      publish(Private<EncodedTable>(table(3000)), of, {}, kernel,
              budget_for_rows(TestBudget::of("2"), of), [](std::string_view) {});
  auto staging = StagingDirectory::create(path);
  REQUIRE(staging.ok());
  auto manifest = write_release(std::move(*staging), released, of, NumericStyle::kDrawn, 0x1234,
                                kMostSyntheticRows, 1, eps("2"));
  REQUIRE(manifest.ok());
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

TEST_CASE("a manifest of more cells than can be numbered, or of an axis twice, is refused") {
  std::string text = "name: wide\nlabel: {column: y, classes: [a, b]}\nattributes:\n";
  for (int i = 0; i < 64; ++i)
    text += fmt::format("  b{}: {{type: boolean, other: \"false\"}}\n", i);
  const Schema wide = *read_schema_text(text).schema;
  const auto reads = [&](const std::vector<std::size_t>& attributes, std::uint64_t cells) {
    Manifest manifest;
    manifest.tool_version = "1";
    manifest.name = wide.name;
    manifest.schema_sha256 = "0";
    manifest.epsilon = manifest.row_epsilon = eps("1");
    manifest.synopsis.class_counts = {0, 0};
    for (const std::size_t attribute : attributes) {
      manifest.synopsis.axes.push_back({AttributeIndex(attribute), LevelIndex(std::size_t{1})});
    }
    manifest.cell_count = cells;
    return read_manifest(write_manifest(manifest, wide), wide).ok();
  };
  const auto first = [](std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  };
  CHECK(reads(first(2), 4));
  CHECK(reads(first(30), std::uint64_t{1} << 30));
  CHECK_FALSE(reads(first(31), std::uint64_t{1} << 31));  // two classes each
  for (const unsigned power : {0U, 32U, 33U}) {
    CHECK_FALSE(reads(first(64), power == 0 ? 0 : std::uint64_t{1} << power));
  }
  CHECK_FALSE(reads({3, 3}, 4));
}

TEST_CASE("a release for persons says so everywhere, and passes its own checks") {
  const TemporaryFolder folder;
  const Manifest written = write_for_persons(folder / "release");
  CHECK(failed_checks(folder / "release") == 0);
  const auto release = open_release(folder / "release");
  REQUIRE_MESSAGE(release.ok(), (release.ok() ? "" : release.error().message));
  CHECK(release->manifest.epsilon == eps("2"));
  CHECK(release->manifest.row_epsilon == eps("0.666666666"));
  CHECK(release->schema.person == person_schema().person);
  const std::string text = slurp(folder / "release" / std::string(kManifestFile));
  CHECK(write_manifest(release->manifest, release->schema) == text);
  CHECK(text.find(R"(    "epsilon": "2",
    "unit": "one person",
    "person": {
      "column": "patient_id",
      "most_rows": 3,
      "epsilon_per_person": "2",
      "epsilon_per_row": "0.666666666"
    },
    "neighbours": "tables that differ by adding or removing all rows of one person",
    "steps": [)") != std::string::npos);
  const std::string unit = "one person (all rows with the same patient_id; at most 3 are used)";
  for (const auto name : {kReadmeFile, kCroissantFile}) {
    CHECK(slurp(folder / "release" / std::string(name)).find(unit) != std::string::npos);
  }
  CHECK(slurp(folder / "release" / std::string(kReadmeFile)).find("one row)") == std::string::npos);
  CHECK(slurp(folder / "release" / std::string(kSyntheticFile)).find("epsilon_per_row") !=
        std::string::npos);
}

TEST_CASE("a release of rows speaks of rows, as before") {
  const TemporaryFolder folder;
  write(folder / "release");
  const std::string text = slurp(folder / "release" / std::string(kManifestFile));
  CHECK(text.find(R"(    "epsilon": "2",
    "unit": "one row",
    "neighbours": "tables that differ by adding or removing one row",
    "steps": [)") != std::string::npos);
  const std::string readme = slurp(folder / "release" / std::string(kReadmeFile));
  CHECK(readme.find("Whatever somebody already knows about all other rows, this release makes any "
                    "conclusion about one row at most e^2 = 7.39 times more or less likely than if "
                    "that row had not been in the table. It holds against") != std::string::npos);
  CHECK(readme.find("without your row is not drawn; or anything about a person who has several "
                    "rows (the unit is one row). Who") != std::string::npos);
}

TEST_CASE("a manifest that promises a person less than the rows have cost is refused") {
  const TemporaryFolder folder;
  write_for_persons(folder / "release");
  const fs::path path = folder / "release" / std::string(kManifestFile);
  const std::string good = slurp(path);
  const auto changed = [&](std::initializer_list<std::pair<std::string, std::string>> edits) {
    std::string text = good;
    for (const auto& [old, replacement] : edits) {
      const std::size_t at = text.find(old);
      REQUIRE(at != std::string::npos);
      text.replace(at, old.size(), replacement);
    }
    std::ofstream(path, std::ios::binary) << text;
    std::vector<std::string> failed;
    const auto findings = check_release(folder / "release");
    if (!findings.ok()) return std::vector<std::string>{"unreadable"};
    for (const ReleaseFinding& finding : *findings) {
      if (!finding.passed) failed.push_back(finding.check);
    }
    return failed;
  };
  const auto has = [](const std::vector<std::string>& failed, const std::string& check) {
    return std::find(failed.begin(), failed.end(), check) != failed.end();
  };
  const std::string of_rows = "epsilon of a person's rows is at most the promised one";
  // 2 is promised, 3 x 0.666666666 has been spent.
  CHECK(has(changed({{"\"epsilon\": \"2\"", "\"epsilon\": \"1.999999997\""},
                     {"person\": \"2\"", "person\": \"1.999999997\""}}),
            of_rows));
  CHECK_FALSE(has(changed({{"\"epsilon\": \"2\"", "\"epsilon\": \"1.999999998\""},
                           {"person\": \"2\"", "person\": \"1.999999998\""}}),
                  of_rows));
  const auto more_per_row = changed({{"0.666666666", "0.666666667"}});
  CHECK(has(more_per_row, of_rows));
  CHECK(has(more_per_row, "epsilon of the steps adds up"));
  CHECK(has(changed({{"0.666666666", "0.666666665"}}), "epsilon of the steps adds up"));
  const std::vector<std::string> unreadable{"unreadable"};
  CHECK(changed({{"\"epsilon\": \"2\"", "\"epsilon\": \"1\""}}) == unreadable);
  CHECK(changed({{"one person", "one row"}}) == unreadable);
  CHECK(changed({{"patient_id", "other_id"}}) == unreadable);
  CHECK(changed({{"\"most_rows\": 3", "\"most_rows\": 2"}}) == unreadable);
  CHECK(changed({{"\"person\"", "\"persona\""}}) == unreadable);
  CHECK(changed({}).empty());

  // Nor do rows become persons by saying so.
  write(folder / "rows");
  std::string rows = slurp(folder / "rows" / std::string(kManifestFile));
  CHECK(read_manifest(rows, schema()).ok());
  CHECK_FALSE(read_manifest(rows, person_schema()).ok());
  CHECK_FALSE(read_manifest(rows.replace(rows.find("one row"), 7, "one person"), schema()).ok());
}

TEST_CASE("a release whose epsilon was not divided among a person's rows is never written") {
  const TemporaryFolder folder;
  const Released<Synopsis> undivided = synopsis(false);
  const auto write_with = [&](const Schema& of, std::optional<Epsilon> promised) {
    auto staging = StagingDirectory::create(folder / "release");
    (void)write_release(std::move(*staging), undivided, of, NumericStyle::kDrawn, 1,
                        kMostSyntheticRows, 1, promised);
  };
  CHECK(stops_the_program([&] { write_with(person_schema(), eps("2")); }));
  CHECK(stops_the_program([&] { write_with(person_schema(), std::nullopt); }));
  CHECK(stops_the_program([&] { write_with(schema(), eps("2")); }));
  CHECK_FALSE(fs::exists(folder / "release"));
  CHECK_FALSE(stops_the_program([&] { write_with(person_schema(), eps("6")); }));
}
