#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/classifiers/dataset.h"

namespace privpfc {

enum class ModelKind {
  kNaiveBayes,
  kSvm,
  kLinearSvm,
  kTree,
  kLogistic,
  kHistogram,
  kMajority,
  kFourierSvm,
  kForest
};

// `nb`, `svm`, `linear-svm`, `tree`, `logistic`, `histogram`, `majority`, `fourier-svm`, `forest`.
const char* model_name(ModelKind kind);
std::optional<ModelKind> model_kind(std::string_view name);

// What a model says about some rows.
struct Predictions {
  std::size_t class_count = 0;
  std::vector<std::uint8_t> labels;   // by row
  std::vector<double> probabilities;  // row-major: rows x classes; each row sums to 1

  const double* row(std::size_t i) const { return probabilities.data() + i * class_count; }
  double* row(std::size_t i) { return probabilities.data() + i * class_count; }
};

// A trained classifier. It knows numbers and codes only; what they mean is in its FeatureSpace.
class Model {
 public:
  Model() = default;
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  virtual ModelKind kind() const = 0;

  // Fills the predictions for the rows begin to end - 1. May be called on several threads at once.
  // Requires rows that fit the space that the model was trained in.
  virtual void predict(const Rows& rows, std::size_t begin, std::size_t end,
                       Predictions& out) const = 0;

  // Whether training came to its end, and was not stopped after its largest number of steps. Not
  // kept in a model file: what has been read counts as converged.
  virtual bool converged() const { return true; }

  // What it has learned, as a JSON object: docs/models.md.
  virtual std::string parameters() const = 0;
};

// The predictions for all rows, on `threads` threads (0: one per core). They do not depend on the
// number of threads.
Predictions predict_rows(const Model& model, const Rows& rows, std::size_t class_count,
                         unsigned threads);

// The class with the largest value; the first of several.
std::uint8_t largest_class(const double* values, std::size_t class_count);

// exp and normalise `scores` in place, without overflow.
void softmax(double* scores, std::size_t class_count);

}  // namespace privpfc
