#include "training_table.h"

#include <filesystem>

#include "privpfc/classifiers/model_file.h"
#include "privpfc/features/feature_reader.h"
#include "privpfc/schema/schema_reader.h"

namespace privpfc::cli {

Result<TrainingTable> load_training_table(const TrainingSource& source) {
  for (const std::string& path : source.paths) {
    // A release shows generalised values, which its plain schema does not know.
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::path(path) / "manifest.json", ignored)) {
      return make_error(ErrorKind::kUsage,
                        "{} is a release; training on a release is not supported yet", path);
    }
  }
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
                 FeatureReader::create(table.schema, table.space, reader.columns(),
                                       {.ignore_extra_columns = source.ignore_extra_columns}));
  PRIVPFC_ASSIGN(table.data, read_dataset(reader, features, source.threads));
  table.guarantee = kNotPrivate;
  return table;
}

}  // namespace privpfc::cli
