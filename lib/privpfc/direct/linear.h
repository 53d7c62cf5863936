#pragma once

#include <memory>
#include <vector>

#include "privpfc/classifiers/random_features.h"
#include "privpfc/direct/method.h"

namespace privpfc {

// The options of the linear family: docs/methods/.
struct LinearDirectOptions {
  double huber_width = 0.05;        // svm: h; 0.001 to 1
  double regularisation = 3.16e-3;  // svm: lambda is this times the (noisy) number of rows
  double lambda = 0;                // instead of the method's own rule, if above 0
  std::size_t attributes = 0;       // how many are used, chosen privately; 0: the method's own rule
  FourierOptions fourier{};         // svm-objective-rff
};

// svm-objective, svm-output, svm-objective-rff, logistic-objective.
std::vector<std::unique_ptr<DirectMethod>> linear_methods(const LinearDirectOptions& options);

}  // namespace privpfc
