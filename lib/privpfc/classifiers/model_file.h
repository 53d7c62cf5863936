#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/classifiers/model.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// A model with all that is needed to use it: docs/models.md.
struct SavedModel {
  Schema schema;
  std::vector<AttributeView> views;
  FeatureSpace space;     // make_feature_space(schema, views)
  std::string guarantee;  // what is promised about the data that the model was trained on
  std::unique_ptr<Model> model;
};

inline constexpr std::size_t kMostModelBytes = std::size_t{1} << 29;

// The guarantee of a model that was trained on rows as they are.
inline constexpr const char* kNotPrivate =
    "none: trained directly on the rows of a table, without privacy. For public data, a release, "
    "or "
    "your own eyes.";

// The same model always gives the same text.
std::string write_model(const SavedModel& saved);

// How many bytes of parameters a model of these features may have, so that its file can be read.
std::uint64_t room_for_parameters(const Schema& schema, const FeatureSpace& space);

// Reads a model file, and trusts nothing in it: what is not sound is an error (kData, kSchema or
// kLimit). The model that it gives predicts exactly what the one that was written did.
Result<SavedModel> read_model(std::string_view text);

// An error (kSchema) unless the model was trained for this schema.
Status check_model_fits(const SavedModel& saved, const Schema& schema);

}  // namespace privpfc
