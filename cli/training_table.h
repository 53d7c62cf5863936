#pragma once

#include <memory>
#include <string>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/classifiers/feature_space.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/schema/schema.h"
#include "privpfc/table/data_check.h"

namespace privpfc::cli {

// What a model is trained on, wherever it comes from, and what is promised about it.
struct TrainingTable {
  Schema schema;
  std::vector<AttributeView> views;
  FeatureSpace space;
  Dataset data;
  std::string guarantee;
  bool is_private = false;
  UnreadValues unread;  // of a table that is read as it is
  // Already there, and to be kept instead of training one: the histogram of a release's counts.
  std::unique_ptr<Model> model;
};

struct TrainingSource {
  std::vector<std::string> paths;
  std::string schema;
  bool ignore_extra_columns = false;
  // As ordered categories: the schema's finest bins, or the groups that a release shows.
  bool numbers_as_bins = false;
  unsigned threads = 0;
};

// Whether the source is a release directory, which brings its own schema.
bool is_release(const TrainingSource& source);

// Reads the rows of a table as they are, and the guarantee says that there is none; or the
// synthetic rows of a release with the guarantee of its manifest. For a histogram of a release the
// counts are read instead. Where both are given, the schema must be the release's.
Result<TrainingTable> load_training_table(const TrainingSource& source, ModelKind kind);

}  // namespace privpfc::cli
