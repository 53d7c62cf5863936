#pragma once

#include <memory>

#include "privpfc/direct/method.h"
#include "privpfc/direct/nb_options.h"

namespace privpfc {

// Naive Bayes from noisy counts and sums whose sensitivity is the same for all tables. Proof:
// nb_laplace.md; docs/methods/nb-laplace.md says when to use it.
std::unique_ptr<DirectMethod> nb_laplace(const NaiveBayesDirectOptions& options);

}  // namespace privpfc
