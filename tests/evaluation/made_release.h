#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <string>

#include "privpfc/evaluation/released_table.h"
#include "privpfc/pipeline/person_epsilon.h"
#include "privpfc/pipeline/publish.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/release/release_writer.h"
#include "privpfc/schema/schema_reader.h"
#include "support/seeded_bits.h"
#include "support/temporary_folder.h"
#include "support/test_budget.h"

namespace privpfc {

// A schema with an attribute of every kind, and missing values and buckets of every sort.
inline const char* const kEveryKind = R"(
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

inline Schema schema_of_text(std::string_view text) {
  return *read_schema_text(text).schema;
}

// Rows in which every attribute depends on the class, so that grids with many axes win.
inline EncodedTable telling_rows(const Schema& schema, std::size_t rows) {
  std::mt19937 random(5);
  EncodedBatch batch;
  batch.rows = rows;
  for (std::size_t row = 0; row < rows; ++row) {
    batch.classes.push_back(static_cast<std::uint8_t>(random() % schema.class_count()));
  }
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    std::vector<std::uint8_t> codes;
    const std::size_t leaves = schema.attributes[i].hierarchy.leaf_count();
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t hint = (batch.classes[row] * (i + 1)) % leaves;
      codes.push_back(static_cast<std::uint8_t>(random() % 3 == 0 ? random() % leaves : hint));
    }
    batch.codes.emplace_back(std::move(codes));
  }
  EncodedTable table;
  table.append(std::move(batch));
  return table;
}

// A release in a folder of its own.
class MadeRelease {
 public:
  explicit MadeRelease(NumericStyle style = NumericStyle::kDrawn, bool all_columns = false,
                       std::string_view epsilon = "2", std::string_view schema_text = kEveryKind) {
    const Schema schema = schema_of_text(schema_text);
    SeededBits bits(11);
    Kernel kernel(bits);
    PublishOptions options;
    if (all_columns) {
      options.shares.columns = 20'000;
      options.limits.cells = 12;
    }
    const Released<Synopsis> synopsis =
        publish(Private<EncodedTable>(telling_rows(schema, 3000)), schema, options, kernel,
                budget_for_rows(TestBudget::of(epsilon), schema), [](std::string_view) {});
    auto staging = StagingDirectory::create(path());
    REQUIRE(staging.ok());
    REQUIRE(write_release(std::move(*staging), synopsis, schema, style, 0x1234, kMostSyntheticRows,
                          1, schema.person ? std::optional(eps(epsilon)) : std::nullopt)
                .ok());
  }
  std::filesystem::path path() const { return folder_ / "release"; }

  Release open() const {
    auto release = open_release_to_learn(path());
    REQUIRE_MESSAGE(release.ok(), (release.ok() ? "" : release.error().message));
    return *std::move(release);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace privpfc
