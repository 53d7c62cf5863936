#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/pipeline/synopsis.h"
#include "privpfc/pipeline/synthesis.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// What a release says about itself: manifest.json. Only public and released facts; no time, no
// host, no path.
struct Manifest {
  struct File {
    std::string name;
    std::string sha256;
    std::uint64_t bytes = 0;
  };

  std::string tool_version;
  std::string name;           // the schema's
  std::string schema_sha256;  // of the schema in its fixed form
  Epsilon epsilon;            // what is promised to the schema's unit
  // The sum over the steps. With a person, most_rows times this is at most `epsilon`; without one,
  // they are the same.
  Epsilon row_epsilon;
  // Everything but the counts, which are in the Parquet files.
  Synopsis synopsis;
  std::uint64_t cell_count = 0;
  NumericStyle numeric_style = NumericStyle::kDrawn;
  std::uint64_t synthetic_seed = 0;
  std::uint64_t synthetic_most_rows = kMostSyntheticRows;
  std::uint64_t synthetic_rows = 0;
  std::vector<File> files;
};

std::string write_manifest(const Manifest& manifest, const Schema& schema);

// The same facts without the files' hashes, on one line: the value of the key `privpfc` in the
// metadata of each Parquet file.
std::string manifest_facts(const Manifest& manifest, const Schema& schema);

// An error of kind kData where the text is not a manifest, or names what the schema does not have.
Result<Manifest> read_manifest(std::string_view json, const Schema& schema);

inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kSyntheticFile = "synthetic.parquet";
inline constexpr std::string_view kCellsFile = "cells.parquet";
inline constexpr std::string_view kColumnsFile = "columns.parquet";  // with --all-columns only
inline constexpr std::string_view kSchemaFile = "schema.yaml";
inline constexpr std::string_view kCroissantFile = "croissant.json";
inline constexpr std::string_view kReadmeFile = "README.md";

inline constexpr std::string_view kToolVersion = "0.1.0";

}  // namespace privpfc
