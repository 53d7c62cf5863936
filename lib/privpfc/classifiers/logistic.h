#pragma once

#include <memory>
#include <string_view>

#include "privpfc/classifiers/input_vectors.h"
#include "privpfc/classifiers/model.h"

namespace privpfc {

struct LogisticOptions {
  double l2 = 1;  // half of it times the sum of squared coefficients is added to the loss
  Scaling scaling = Scaling::kStandard;
  // At the end no entry of the gradient, per unit of weight, is larger.
  double tolerance = 1e-7;
  std::size_t most_steps = 1000;
};

// Multinomial logistic regression: one vector of coefficients per class, and a bias that is not
// penalised. Trained by L-BFGS.
Result<std::unique_ptr<Model>> train_logistic(const FeatureSpace& space, const Dataset& data,
                                              const LogisticOptions& options);
// A model with these coefficients: by class, one per category of each feature in turn, then the
// bias. Requires: a space without numbers.
std::unique_ptr<Model> make_logistic(const FeatureSpace& space,
                                     const std::vector<std::vector<double>>& coefficients);
Result<std::unique_ptr<Model>> read_logistic(const FeatureSpace& space,
                                             std::string_view parameters);

}  // namespace privpfc
