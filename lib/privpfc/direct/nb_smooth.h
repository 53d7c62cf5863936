#pragma once

#include <memory>

#include "privpfc/direct/method.h"
#include "privpfc/direct/nb_options.h"

namespace privpfc {

// Naive Bayes with a Gaussian per class for each number, whose noise follows a smooth bound on what
// one row can change. Categories and class counts as in nb-laplace. Proof: nb_smooth.md.

// Trimmed mean and deviation, both with Cauchy noise.
std::unique_ptr<DirectMethod> nb_smooth(const NaiveBayesDirectOptions& options);

// Trimmed mean with Cauchy noise; the variance from sums of squares, as in nb-laplace.
std::unique_ptr<DirectMethod> nb_bun_steinke(const NaiveBayesDirectOptions& options);

// Trimmed mean and deviation with Laplace noise: (epsilon, delta).
std::unique_ptr<DirectMethod> nb_smooth_delta(const NaiveBayesDirectOptions& options);

}  // namespace privpfc
