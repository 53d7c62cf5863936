#pragma once

#include <string>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/classifiers/feature_space.h"
#include "privpfc/schema/schema.h"

namespace privpfc::cli {

// What a model is trained on, wherever it comes from, and what is promised about it.
struct TrainingTable {
  Schema schema;
  std::vector<AttributeView> views;
  FeatureSpace space;
  Dataset data;
  std::string guarantee;
};

struct TrainingSource {
  std::vector<std::string> paths;
  std::string schema;
  bool ignore_extra_columns = false;
  bool numbers_as_bins = false;  // the schema's finest bins, as ordered categories
  unsigned threads = 0;
};

// Reads the rows of a table as they are; the guarantee says that there is none.
Result<TrainingTable> load_training_table(const TrainingSource& source);

}  // namespace privpfc::cli
