#pragma once

#include <memory>

#include "privpfc/classifiers/linear_svm.h"
#include "privpfc/classifiers/logistic.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/classifiers/naive_bayes.h"
#include "privpfc/classifiers/svm.h"
#include "privpfc/classifiers/tree.h"

namespace privpfc {

// The options of every kind; only those of the kind that is trained matter.
struct TrainOptions {
  NaiveBayesOptions naive_bayes{};
  SvmOptions svm{};
  LinearSvmOptions linear_svm{};
  TreeOptions tree{};
  LogisticOptions logistic{};

  // Set for all kinds at once. The seed shuffles folds and the order of coordinates; the number of
  // threads changes nothing but the time.
  void set_seed(std::uint64_t seed);
  void set_threads(unsigned threads);
};

// Trains a model on weighted rows. Equal rows are merged first: n equal rows and one row of weight
// n give the same model, bit for bit, in whatever order rows come. An error (kData) if the data
// does not fit the space or has no weight at all, kUsage for options out of range.
//
// Not private: for public data, for released data, or for the curator's own eyes.
Result<std::unique_ptr<Model>> train(ModelKind kind, const FeatureSpace& space, const Dataset& data,
                                     const TrainOptions& options);

// The same without merging, for data that merge_equal_rows() has been through.
Result<std::unique_ptr<Model>> train_merged(ModelKind kind, const FeatureSpace& space,
                                            const Dataset& data, const TrainOptions& options);

}  // namespace privpfc
