#include "privpfc/classifiers/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "privpfc/base/parallel.h"

namespace privpfc {

namespace {

constexpr std::array<std::pair<ModelKind, const char*>, 9> kNames = {{
    {ModelKind::kNaiveBayes, "nb"},
    {ModelKind::kSvm, "svm"},
    {ModelKind::kLinearSvm, "linear-svm"},
    {ModelKind::kTree, "tree"},
    {ModelKind::kLogistic, "logistic"},
    {ModelKind::kHistogram, "histogram"},
    {ModelKind::kMajority, "majority"},
    {ModelKind::kFourierSvm, "fourier-svm"},
    {ModelKind::kForest, "forest"},
}};

}  // namespace

const char* model_name(ModelKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  return "";
}

std::optional<ModelKind> model_kind(std::string_view name) {
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

Predictions predict_rows(const Model& model, const Rows& rows, std::size_t class_count,
                         unsigned threads) {
  Predictions predictions;
  predictions.class_count = class_count;
  predictions.labels.resize(rows.count);
  predictions.probabilities.resize(rows.count * class_count);
  constexpr std::size_t kRowsPerPiece = 1024;
  const std::size_t pieces = (rows.count + kRowsPerPiece - 1) / kRowsPerPiece;
  run_pieces(pieces, threads, [&](std::size_t piece) {
    const std::size_t begin = piece * kRowsPerPiece;
    model.predict(rows, begin, std::min(begin + kRowsPerPiece, rows.count), predictions);
  });
  return predictions;
}

std::uint8_t largest_class(const double* values, std::size_t class_count) {
  return static_cast<std::uint8_t>(std::max_element(values, values + class_count) - values);
}

void softmax(double* scores, std::size_t class_count) {
  const double largest = *std::max_element(scores, scores + class_count);
  double sum = 0;
  for (std::size_t c = 0; c < class_count; ++c) {
    scores[c] = std::exp(scores[c] - largest);
    sum += scores[c];
  }
  for (std::size_t c = 0; c < class_count; ++c) scores[c] /= sum;
}

}  // namespace privpfc
