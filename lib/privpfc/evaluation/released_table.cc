#include "privpfc/evaluation/released_table.h"

#include <algorithm>

#include "privpfc/features/generalised_reader.h"
#include "privpfc/pipeline/synthesis.h"
#include "privpfc/release/file_hash.h"
#include "privpfc/schema/schema_writer.h"
#include "privpfc/schema/unit.h"

namespace privpfc {
namespace {

Status check_file(const Release& release, std::string_view name) {
  PRIVPFC_ASSIGN(const Manifest::File found, hash_file(release.directory, std::string(name)));
  for (const Manifest::File& file : release.manifest.files) {
    if (file.name == name && file.sha256 == found.sha256) return {};
  }
  return make_error(ErrorKind::kData,
                    "{}: {} is not the file that was released; see privpfc verify",
                    release.directory.string(), name);
}

}  // namespace

std::vector<AttributeView> release_views(const Release& release, ReleaseView view) {
  const Synopsis& synopsis = release.manifest.synopsis;
  std::vector<AttributeView> views;
  const auto add = [&](AttributeIndex attribute, LevelIndex level) {
    const bool as_number = view == ReleaseView::kAsReleased &&
                           release.manifest.numeric_style == NumericStyle::kDrawn &&
                           is_numeric(release.schema[attribute].kind);
    views.push_back({attribute, as_number, level});
  };
  for (const Synopsis::Axis& axis : synopsis.axes) add(axis.attribute, axis.level);
  if (view == ReleaseView::kGrid) return views;  // in the order of the axes, as the cells are
  for (const Synopsis::SideColumn& side : synopsis.side_columns) {
    add(side.attribute, release.schema[side.attribute].hierarchy.finest_level());
  }
  std::sort(views.begin(), views.end(),
            [](const auto& a, const auto& b) { return a.attribute < b.attribute; });
  return views;
}

Result<Release> open_release_to_learn(const std::filesystem::path& directory) {
  PRIVPFC_ASSIGN(Release release, open_release(directory));
  PRIVPFC_TRY(check_file(release, kSyntheticFile));
  PRIVPFC_TRY(check_file(release, kCellsFile));
  PRIVPFC_TRY(read_release_counts(release));
  return release;
}

Status check_release_schema(const Release& release, const Schema& schema) {
  if (schema_hash(schema) == release.manifest.schema_sha256) return {};
  return make_error(ErrorKind::kSchema,
                    "the release was made with another schema ('{}', hash {:.12}) than this one "
                    "('{}', hash {:.12}); the release has its own, so --schema can be left out",
                    release.schema.name, release.manifest.schema_sha256, schema.name,
                    schema_hash(schema));
}

Result<Dataset> read_released_rows(const Release& release, const FeatureSpace& space,
                                   unsigned threads) {
  PRIVPFC_ASSIGN(TableReader table, TableReader::open({release.directory / kSyntheticFile}));
  return read_generalised_rows(table, release.schema, space, label_name(release.schema), threads);
}

std::string guarantee_of(const Release& release) {
  return fmt::format(
      "pure epsilon-differential privacy, epsilon {}; unit: {}; neighbours: tables that differ "
      "by adding or removing {}. Computed from the release '{}' alone, which costs nothing more.",
      release.manifest.epsilon.to_string(), unit_in_words(release.schema),
      rows_of_unit(release.schema), release.manifest.name);
}

}  // namespace privpfc
