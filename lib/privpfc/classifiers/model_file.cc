#include "privpfc/classifiers/model_file.h"

#include "privpfc/classifiers/forest.h"
#include "privpfc/classifiers/histogram.h"
#include "privpfc/classifiers/linear_svm.h"
#include "privpfc/classifiers/logistic.h"
#include "privpfc/classifiers/majority.h"
#include "privpfc/classifiers/model_json.h"
#include "privpfc/classifiers/naive_bayes.h"
#include "privpfc/classifiers/random_features.h"
#include "privpfc/classifiers/svm.h"
#include "privpfc/classifiers/tree.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"

namespace privpfc {

namespace {

constexpr const char* kFormat = "privpfc-model";
constexpr int kVersion = 1;
constexpr std::size_t kMostGuaranteeBytes = 10'000;

Result<std::unique_ptr<Model>> read_parameters(ModelKind kind, const FeatureSpace& space,
                                               const std::string& text) {
  switch (kind) {
    case ModelKind::kNaiveBayes:
      return read_naive_bayes(space, text);
    case ModelKind::kSvm:
      return read_svm(space, text);
    case ModelKind::kLinearSvm:
      return read_linear_svm(space, text);
    case ModelKind::kTree:
      return read_tree(space, text);
    case ModelKind::kLogistic:
      return read_logistic(space, text);
    case ModelKind::kHistogram:
      return read_histogram(space, text);
    case ModelKind::kMajority:
      return read_majority(space, text);
    case ModelKind::kFourierSvm:
      return read_fourier_svm(space, text);
    case ModelKind::kForest:
      return read_forest(space, text);
  }
  return bad_model("no such kind of model");
}

Result<std::vector<AttributeView>> read_views(const Json& json, const Schema& schema) {
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "features", 0, Schema::kMaxAttributes));
  std::vector<AttributeView> views;
  for (const Json& entry : *list) {
    PRIVPFC_ASSIGN(const std::string name, json_text(entry, "attribute"));
    PRIVPFC_ASSIGN(const std::string as, json_text(entry, "as"));
    std::size_t attribute = 0;
    while (attribute < schema.attributes.size() && schema.attributes[attribute].name != name) {
      ++attribute;
    }
    if (attribute == schema.attributes.size()) {
      return bad_model("a feature is no attribute of the model's schema");
    }
    if (as != "number" && as != "category") return bad_model("'as' is neither number nor category");
    AttributeView& view = views.emplace_back();
    view.attribute = AttributeIndex(attribute);
    view.as_number = as == "number";
    const std::size_t levels = schema.attributes[attribute].hierarchy.level_count();
    if (view.as_number) {
      view.level = LevelIndex(levels - 1);
    } else {
      PRIVPFC_ASSIGN(const std::size_t level, json_index(entry, "level", levels));
      view.level = LevelIndex(level);
    }
  }
  return views;
}

// All but the parameters, and the beginning of their line. A person reads this; a forest has
// millions of numbers, and laid out line by line, half of its file would be white space.
std::string head_text(const Schema& schema, const FeatureSpace& space, const char* kind,
                      const std::string& guarantee) {
  Json features = Json::array();
  for (const Feature& feature : space.features) {
    if (feature.is_number()) {
      features.push_back({{"attribute", feature.name}, {"as", "number"}});
    } else {
      features.push_back({{"attribute", feature.name},
                          {"as", "category"},
                          {"level", feature.view.level.value()},
                          {"categories", feature.categories}});
    }
  }
  std::string text = Json{{"format", kFormat},
                          {"version", kVersion},
                          {"guarantee", guarantee},
                          {"model", kind},
                          {"classes", space.classes},
                          {"schema_hash", schema_hash(schema)},
                          {"schema", write_schema(schema)},
                          {"features", std::move(features)}}
                         .dump(1);
  text.resize(text.size() - 2);  // without its closing line
  return text + ",\n \"parameters\": ";
}
constexpr const char* kEnd = "\n}\n";

}  // namespace

std::string write_model(const SavedModel& saved) {
  return head_text(saved.schema, saved.space, model_name(saved.model->kind()), saved.guarantee) +
         saved.model->parameters() + kEnd;
}

std::uint64_t room_for_parameters(const Schema& schema, const FeatureSpace& space) {
  constexpr std::size_t kMostNameBytes = 100;  // of the kind
  const std::size_t taken = head_text(schema, space, "", "").size() + kMostNameBytes +
                            kMostGuaranteeBytes + std::string_view(kEnd).size();
  return taken < kMostModelBytes ? kMostModelBytes - taken : 0;
}

Result<SavedModel> read_model(std::string_view text) {
  if (text.size() > kMostModelBytes) {
    return make_error(ErrorKind::kLimit, "the model file is larger than {} MiB",
                      kMostModelBytes >> 20);
  }
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return bad_model("it is not a JSON object");
  PRIVPFC_ASSIGN(const std::string format, json_text(json, "format"));
  if (format != kFormat) return bad_model(fmt::format("its format is not '{}'", kFormat));
  PRIVPFC_ASSIGN(const std::size_t version, json_index(json, "version", 1'000'000));
  if (version != kVersion) {
    return make_error(ErrorKind::kData,
                      "the model file is of version {}; this program reads version {}", version,
                      kVersion);
  }
  SavedModel saved;
  PRIVPFC_ASSIGN(saved.guarantee, json_text(json, "guarantee"));
  if (saved.guarantee.size() > kMostGuaranteeBytes) return bad_model("the guarantee is too long");
  PRIVPFC_ASSIGN(const std::string name, json_text(json, "model"));
  const std::optional<ModelKind> kind = model_kind(name);
  if (!kind) return bad_model("no such kind of model");

  PRIVPFC_ASSIGN(const std::string schema_text, json_text(json, "schema"));
  SchemaReading reading = read_schema_text(schema_text);
  if (!reading.schema) {
    return make_error(ErrorKind::kSchema, "the schema in the model file has mistakes");
  }
  saved.schema = *std::move(reading.schema);
  PRIVPFC_ASSIGN(const std::string hash, json_text(json, "schema_hash"));
  if (hash != schema_hash(saved.schema)) {
    return make_error(ErrorKind::kSchema,
                      "the schema in the model file is not the one that its schema_hash names: the "
                      "file has been changed; train the model again");
  }
  PRIVPFC_ASSIGN(saved.views, read_views(json, saved.schema));
  PRIVPFC_ASSIGN(saved.space, make_feature_space(saved.schema, saved.views));
  PRIVPFC_ASSIGN(const Json* parameters, json_member(json, "parameters"));
  PRIVPFC_ASSIGN(saved.model, read_parameters(*kind, saved.space, parameters->dump()));
  return saved;
}

Status check_model_fits(const SavedModel& saved, const Schema& schema) {
  if (schema_hash(saved.schema) == schema_hash(schema)) return {};
  return make_error(
      ErrorKind::kSchema,
      "the model was trained for another schema ('{}', hash {:.12}) than this one "
      "('{}', hash {:.12}); train it again, or give the schema that it was trained for",
      saved.schema.name, schema_hash(saved.schema), schema.name, schema_hash(schema));
}

}  // namespace privpfc
