#include "privpfc/release/release_writer.h"

#include <fmt/format.h>

#include <map>

#include "privpfc/base/contract.h"
#include "privpfc/base/sha256.h"
#include "privpfc/io/table_writer.h"
#include "privpfc/release/cells_file.h"
#include "privpfc/release/file_hash.h"
#include "privpfc/release/release_texts.h"
#include "privpfc/release/synthetic_file.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"

namespace privpfc {
namespace {

Status add_synthetic(const StagingDirectory& staging, const SyntheticTable& table,
                     const std::string& facts, unsigned threads, Manifest& manifest) {
  FileDigest digest;
  PRIVPFC_TRY(write_synthetic(staging.path() / kSyntheticFile, table, facts, threads,
                              /*sync=*/true, digest));
  manifest.files.push_back({std::string(kSyntheticFile), digest.sha256, digest.bytes});
  return {};
}

Status add_file(const StagingDirectory& staging, std::string_view name, Manifest& manifest) {
  PRIVPFC_ASSIGN(Manifest::File file, hash_file(staging.path(), std::string(name)));
  manifest.files.push_back(std::move(file));
  return {};
}

Status add_text(const StagingDirectory& staging, std::string_view name, const std::string& text,
                Manifest& manifest) {
  PRIVPFC_TRY(staging.write_file(name, text));
  manifest.files.push_back({std::string(name), sha256_hex(text), text.size()});
  return {};
}

// Says who else has a name.
class ColumnNames {
 public:
  explicit ColumnNames(std::string_view file) : file_(file) {}
  Status add(const std::string& name, const std::string& owner) {
    const auto [first, is_new] = owners_.emplace(name, owner);
    if (is_new) return {};
    return make_error(ErrorKind::kSchema,
                      "{} would have two columns '{}': of {} and of {}; give an attribute another "
                      "name (its column can stay: `column: NAME`)",
                      file_, name, first->second, owner);
  }

 private:
  std::string_view file_;
  std::map<std::string, std::string> owners_;
};

}  // namespace

Status check_publishable(const Schema& schema, NumericStyle style) {
  ColumnNames synthetic(kSyntheticFile);
  ColumnNames cells(kCellsFile);
  PRIVPFC_TRY(synthetic.add(label_name(schema), "the label"));
  for (const std::string& name : schema.label.classes) {
    PRIVPFC_TRY(cells.add(count_column(name), fmt::format("the class '{}'", name)));
  }
  for (const Attribute& attribute : schema.attributes) {
    if (!attribute.used) continue;
    const std::string owner = fmt::format("the attribute '{}'", attribute.name);
    PRIVPFC_TRY(cells.add(attribute.name, owner));
    for (const std::string& name : synthetic_names(attribute, style)) {
      PRIVPFC_TRY(synthetic.add(name, owner));
    }
  }
  return check_written_form(schema);
}

Result<Manifest> write_release(StagingDirectory staging, const Released<Synopsis>& released,
                               const Schema& schema, NumericStyle style,
                               std::uint64_t synthetic_seed, std::uint64_t most_rows,
                               unsigned threads, std::optional<Epsilon> promised) {
  const Synopsis& synopsis = released.value();
  const SyntheticTable table(schema, synopsis, style, synthetic_seed, most_rows);

  Manifest manifest;
  manifest.tool_version = kToolVersion;
  manifest.name = schema.name;
  manifest.schema_sha256 = schema_hash(schema);
  for (const Synopsis::Step& step : synopsis.steps) {
    manifest.row_epsilon = manifest.row_epsilon + step.epsilon;
  }
  require(promised.has_value() == schema.person.has_value(), "the epsilon of a declared person");
  manifest.epsilon = promised.value_or(manifest.row_epsilon);
  require(!schema.person ||
              schema.person->most_rows * manifest.row_epsilon.units() <= manifest.epsilon.units(),
          "no more for a person's rows than was promised");
  manifest.synopsis = synopsis;
  manifest.cell_count = synopsis.cell_count();
  manifest.numeric_style = style;
  manifest.synthetic_seed = synthetic_seed;
  manifest.synthetic_most_rows = most_rows;
  manifest.synthetic_rows = table.rows();
  const std::string facts = manifest_facts(manifest, schema);

  PRIVPFC_TRY(add_synthetic(staging, table, facts, threads, manifest));
  PRIVPFC_TRY(write_cells(staging.path() / kCellsFile, schema, synopsis, facts));
  PRIVPFC_TRY(add_file(staging, kCellsFile, manifest));
  if (!synopsis.side_columns.empty()) {
    PRIVPFC_TRY(write_side_columns(staging.path() / kColumnsFile, schema, synopsis, facts));
    PRIVPFC_TRY(add_file(staging, kColumnsFile, manifest));
  }
  PRIVPFC_TRY(add_text(staging, kSchemaFile, write_schema(schema), manifest));
  PRIVPFC_TRY(add_text(staging, kCroissantFile,
                       internal::release_croissant(manifest, schema, table.columns()), manifest));
  PRIVPFC_TRY(add_text(staging, kReadmeFile, internal::release_readme(manifest, schema), manifest));
  PRIVPFC_TRY(staging.write_file(kManifestFile, write_manifest(manifest, schema)));
  PRIVPFC_TRY(staging.commit());
  return manifest;
}

}  // namespace privpfc
