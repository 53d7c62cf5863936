#include "privpfc/classifiers/train.h"

#include "privpfc/classifiers/histogram.h"
#include "privpfc/classifiers/majority.h"

namespace privpfc {

void TrainOptions::set_seed(std::uint64_t seed) {
  svm.seed = linear_svm.seed = tree.seed = seed;
}

void TrainOptions::set_threads(unsigned threads) {
  svm.threads = linear_svm.threads = tree.threads = threads;
}

Result<std::unique_ptr<Model>> train(ModelKind kind, const FeatureSpace& space, const Dataset& data,
                                     const TrainOptions& options) {
  PRIVPFC_TRY(check_dataset(data, space));
  const Dataset merged = merge_equal_rows(data);
  if (merged.count() == 0) {
    return make_error(ErrorKind::kData, "there are no rows to train on");
  }
  return train_merged(kind, space, merged, options);
}

Result<std::unique_ptr<Model>> train_merged(ModelKind kind, const FeatureSpace& space,
                                            const Dataset& data, const TrainOptions& options) {
  switch (kind) {
    case ModelKind::kNaiveBayes:
      return train_naive_bayes(space, data, options.naive_bayes);
    case ModelKind::kSvm:
      return train_svm(space, data, options.svm);
    case ModelKind::kLinearSvm:
      return train_linear_svm(space, data, options.linear_svm);
    case ModelKind::kTree:
      return train_tree(space, data, options.tree);
    case ModelKind::kLogistic:
      return train_logistic(space, data, options.logistic);
    case ModelKind::kHistogram:
      return train_histogram(space, data);
    case ModelKind::kMajority:
      return train_majority(space, data);
    case ModelKind::kFourierSvm:
      return make_error(ErrorKind::kUsage, "a fourier-svm is only trained privately");
    case ModelKind::kForest:
      return make_error(ErrorKind::kUsage, "a forest is trained under differential privacy only");
  }
  return make_error(ErrorKind::kUsage, "no such kind of model");
}

}  // namespace privpfc
