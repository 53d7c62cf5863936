#pragma once

#include <memory>
#include <string_view>

#include "privpfc/classifiers/kernel.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/classifiers/smo.h"

namespace privpfc {

struct SvmOptions {
  KernelFunction::Kind kernel = KernelFunction::Kind::kRbf;
  double cost = 1;    // C
  double gamma = 0;   // 0: 1 over the total variance of the inputs
  double offset = 0;  // of the polynomial kernel
  int degree = 3;     // of the polynomial kernel
  Scaling scaling = Scaling::kStandard;
  SmoOptions smo{};
  std::size_t probability_folds = 3;
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

// C-SVC, one against one. The label is the pairs' vote; the probabilities come from sigmoids that
// are fitted by cross-validation (docs/models.md), and may prefer another class than the vote.
Result<std::unique_ptr<Model>> train_svm(const FeatureSpace& space, const Dataset& data,
                                         const SvmOptions& options);
Result<std::unique_ptr<Model>> read_svm(const FeatureSpace& space, std::string_view parameters);

}  // namespace privpfc
