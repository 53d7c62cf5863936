#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/classifiers/train.h"
#include "privpfc/evaluation/released_table.h"

namespace privpfc {

// A release as learners may see it.
struct ReleaseSpaces {
  FeatureSpace as_released;
  FeatureSpace groups;
  FeatureSpace grid;

  const FeatureSpace& operator[](ReleaseView view) const;
};
Result<ReleaseSpaces> make_release_spaces(const Release& release);

// A classifier that was trained on a release, and the view in which it sees rows.
struct ReleaseModel {
  std::string name;  // as for `train --model`
  ReleaseView view = ReleaseView::kAsReleased;
  std::unique_ptr<Model> model;
  std::string note;  // what a reader should know about its training; often nothing
};

// Trained on the release alone, so that whatever they are told about is post-processing.
struct ReleaseModels {
  std::vector<ReleaseModel> classifiers;  // naive Bayes, SVM, tree, logistic regression, histogram
  ReleaseModel majority;
  std::uint8_t majority_class = 0;  // what it says
};

// Told as the training of each begins.
using TrainingProgress = std::function<void(std::string_view name)>;

Result<ReleaseModels> train_on_release(const Release& release, const ReleaseSpaces& spaces,
                                       const TrainOptions& options, unsigned threads,
                                       const TrainingProgress& progress);

// The learners that take any table, in the order of reports.
inline constexpr ModelKind kReportedKinds[] = {ModelKind::kNaiveBayes, ModelKind::kSvm,
                                               ModelKind::kTree, ModelKind::kLogistic};

// An SVM with a kernel takes time in the square of the distinct rows; beyond this many it is given
// a sample.
inline constexpr std::size_t kMostSvmRows = 20'000;

struct Trained {
  std::unique_ptr<Model> model;
  std::string note;
};

// train_merged(), but for SVMs, which learn from at most kMostSvmRows distinct rows: a sample that
// follows from options' seed. The note says so.
Result<Trained> train_within_reason(ModelKind kind, const FeatureSpace& space,
                                    const Dataset& merged, const TrainOptions& options);

}  // namespace privpfc
