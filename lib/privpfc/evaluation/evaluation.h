#pragma once

#include <optional>
#include <string>
#include <vector>

#include "privpfc/evaluation/fidelity.h"
#include "privpfc/evaluation/metrics.h"
#include "privpfc/evaluation/real_rows.h"
#include "privpfc/evaluation/release_models.h"
#include "privpfc/privacy/diagnostic.h"

namespace privpfc {

struct MeasuredClassifier {
  std::string name;
  std::string note;
  Metrics metrics;
};

// What a release is worth, measured on real held-out rows.
struct Evaluation {
  std::vector<double> class_rows;              // held-out rows by class
  std::vector<MeasuredClassifier> on_release;  // trained on the release
  MeasuredClassifier majority;                 // says the release's most frequent class:
  std::uint8_t majority_class = 0;
  // Only where the real training rows were given: the same learners trained on all attributes of
  // these as they are, and the histogram of the release's grid without noise.
  std::vector<MeasuredClassifier> noise_free;
  Fidelity fidelity;  // against the training rows where given, otherwise the held-out ones
  bool fidelity_on_training_rows = false;
  UnreadValues unread_test;  // of the held-out rows: they make the figures worse than they are
  UnreadValues unread_train;

  // The classifier trained on the release that errs least; the first of several.
  const MeasuredClassifier& best() const;
  // The one of this name that was trained without noise, if there is one.
  const MeasuredClassifier* without_noise(const std::string& name) const;
};

struct EvaluationInputs {
  RealSource test;
  std::optional<RealSource> train;
  TrainOptions options;
};

// Requires `models` from train_on_release(). Every figure is computed on real rows, hence
// Diagnostic: for the curator's eyes. An error (kData) where a table has no rows.
Result<Diagnostic<Evaluation>> evaluate_release(const Release& release, const ReleaseSpaces& spaces,
                                                const ReleaseModels& models,
                                                const EvaluationInputs& inputs, unsigned threads,
                                                const TrainingProgress& progress);

}  // namespace privpfc
