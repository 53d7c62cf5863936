#include "training_table.h"

#include <algorithm>
#include <filesystem>

#include "privpfc/classifiers/model_file.h"
#include "privpfc/evaluation/released_histogram.h"
#include "privpfc/evaluation/released_table.h"
#include "privpfc/features/feature_reader.h"
#include "privpfc/schema/schema_reader.h"

namespace privpfc::cli {

namespace {

// Also a directory that may not be looked into: opening it says so.
bool has_manifest(const std::string& path) {
  std::error_code code;
  if (std::filesystem::exists(std::filesystem::path(path) / kManifestFile, code)) return true;
  return code == std::errc::permission_denied;
}

Result<TrainingTable> load_plain_table(const TrainingSource& source) {
  TrainingTable table;
  PRIVPFC_ASSIGN(table.schema, load_schema(source.schema));
  table.views = plain_views(table.schema);
  if (source.numbers_as_bins) {
    for (AttributeView& view : table.views) view.as_number = false;
  }
  PRIVPFC_ASSIGN(table.space, make_feature_space(table.schema, table.views));
  PRIVPFC_ASSIGN(TableReader reader,
                 TableReader::open({source.paths.begin(), source.paths.end()}, table.schema.csv));
  PRIVPFC_ASSIGN(const FeatureReader features,
                 FeatureReader::create(
                     table.schema, table.space, reader.columns(),
                     {.ignore_extra_columns = source.ignore_extra_columns, .caps_persons = false}));
  DataReport report;
  PRIVPFC_ASSIGN(table.data, read_dataset(reader, features, source.threads, &report));
  table.unread = unread_values(report);
  table.guarantee = kNotPrivate;
  return table;
}

Result<TrainingTable> load_release(const TrainingSource& source, ModelKind kind) {
  if (source.paths.size() > 1) {
    return make_error(ErrorKind::kUsage,
                      "a release is trained on by itself: name one directory and no other files");
  }
  PRIVPFC_ASSIGN(Release release, open_release_to_learn(source.paths.front()));
  if (!source.schema.empty()) {
    PRIVPFC_ASSIGN(const Schema schema, load_schema(source.schema));
    PRIVPFC_TRY(check_release_schema(release, schema));
  }
  TrainingTable table;
  const bool histogram = kind == ModelKind::kHistogram;
  table.views = release_views(release, histogram                ? ReleaseView::kGrid
                                       : source.numbers_as_bins ? ReleaseView::kGroups
                                                                : ReleaseView::kAsReleased);
  PRIVPFC_ASSIGN(table.space, make_feature_space(release.schema, table.views));
  PRIVPFC_ASSIGN(table.data, read_released_rows(release, table.space, source.threads));
  if (histogram) table.model = released_histogram(release, table.space);
  table.guarantee = guarantee_of(release);
  table.is_private = true;
  table.schema = std::move(release.schema);
  return table;
}

}  // namespace

bool is_release(const TrainingSource& source) {
  return std::any_of(source.paths.begin(), source.paths.end(), has_manifest);
}

Result<TrainingTable> load_training_table(const TrainingSource& source, ModelKind kind) {
  return is_release(source) ? load_release(source, kind) : load_plain_table(source);
}

}  // namespace privpfc::cli
