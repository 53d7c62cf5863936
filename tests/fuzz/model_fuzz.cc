#include <cmath>
#include <limits>

#include "fuzz_input.h"
#include "privpfc/classifiers/model_file.h"
#include "privpfc/schema/schema_writer.h"

namespace {

using namespace privpfc;

constexpr ModelKind kKinds[] = {
    ModelKind::kNaiveBayes, ModelKind::kSvm,        ModelKind::kLinearSvm,
    ModelKind::kTree,       ModelKind::kLogistic,   ModelKind::kHistogram,
    ModelKind::kMajority,   ModelKind::kFourierSvm, ModelKind::kForest};

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// A model file for the fuzzers' schema that is sound but, perhaps, for its parameters.
std::string file_around(ModelKind kind, std::string_view parameters) {
  static const Schema schema = *read_schema_text(fuzz::kSchema).schema;
  static const std::string head =
      R"({"format": "privpfc-model", "version": 1, "guarantee": "none", "schema_hash": )" +
      json_string(schema_hash(schema)) + R"(, "schema": )" + json_string(write_schema(schema)) +
      R"(, "features": [{"attribute": "i", "as": "number"}, {"attribute": "r", "as": "number"},
      {"attribute": "d", "as": "number"}, {"attribute": "c", "as": "category", "level": 1},
      {"attribute": "b", "as": "category", "level": 1}], "model": )";
  return head + json_string(model_name(kind)) + R"(, "parameters": )" + std::string(parameters) +
         "}";
}

// Ends, middles and what is missing, of every feature.
Rows telling_rows(const FeatureSpace& space) {
  Rows rows = empty_rows(space);
  rows.count = 4;
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    const Feature& feature = space.features[f];
    if (feature.is_number()) {
      rows.columns[f].numbers = {feature.low, feature.high, feature.low / 2 + feature.high / 2,
                                 std::numeric_limits<double>::quiet_NaN()};
    } else {
      const auto last = static_cast<std::uint16_t>(feature.categories.size() - 1);
      rows.columns[f].codes = {0, last, static_cast<std::uint16_t>(last / 2), kMissingCode};
    }
  }
  return rows;
}

}  // namespace

// The first byte chooses a kind of model whose parameters follow, or that a whole file follows.
// Whatever reads as a model must come back unchanged from its written form, and predict a
// probability of every class.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest = fuzz::text_of(data + 1, size - 1);
  const std::size_t choice = data[0] % (std::size(kKinds) + 1);
  const std::string text =
      choice < std::size(kKinds) ? file_around(kKinds[choice], rest) : std::string(rest);
  const auto first = read_model(text);
  if (!first.ok()) {
    fuzz::check(!first.error().message.empty());
    return 0;
  }
  const std::string written = write_model(*first);
  const auto second = read_model(written);
  fuzz::check(second.ok() && write_model(*second) == written);
  const std::size_t classes = first->space.class_count();
  const Rows rows = telling_rows(first->space);
  const Predictions predictions = predict_rows(*first->model, rows, classes, 1);
  for (std::size_t row = 0; row < rows.count; ++row) {
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      fuzz::check(predictions.row(row)[c] >= 0);
      sum += predictions.row(row)[c];
    }
    fuzz::check(std::abs(sum - 1) < 1e-6);
    fuzz::check(predictions.labels[row] < classes);
  }
  return 0;
}
