#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "privpfc/classifiers/model.h"

namespace privpfc {

struct NaiveBayesOptions {
  enum class Density {
    kGaussian,
    kTruncated,  // one that is cut off at the public bounds and scaled to mass 1 within
  };
  Density density = Density::kGaussian;
  double smoothing = 1;  // added to the weight of every class and of every category in every class
};

// Naive Bayes in log space. Means and deviations are those of the weighted values in each class, or
// for kTruncated of the cut-off Gaussian that makes these values most likely; a deviation is at
// least 1/1000 of the width between the bounds, so that a class with one value only does not get an
// endless density. A class without values of a feature has what all rows have. Missing values are
// skipped, in training and in prediction.
Result<std::unique_ptr<Model>> train_naive_bayes(const FeatureSpace& space, const Dataset& data,
                                                 const NaiveBayesOptions& options);

// What a naive Bayes model has learned, for those who learn it in another way.
struct NaiveBayesParameters {
  struct FeatureParameters {
    std::vector<double> means;                    // numbers, by class
    std::vector<double> deviations;               // numbers, by class; above 0
    std::vector<std::vector<double>> log_shares;  // categories, by class then category
  };
  NaiveBayesOptions::Density density = NaiveBayesOptions::Density::kGaussian;
  std::vector<double> log_priors;
  std::vector<FeatureParameters> features;
};

// Requires finite parameters that fit the space.
std::unique_ptr<Model> make_naive_bayes(const FeatureSpace& space,
                                        const NaiveBayesParameters& parameters);

// The most bytes that the parameters of such a model can take.
std::uint64_t most_naive_bayes_bytes(const FeatureSpace& space);

Result<std::unique_ptr<Model>> read_naive_bayes(const FeatureSpace& space,
                                                std::string_view parameters);

}  // namespace privpfc
