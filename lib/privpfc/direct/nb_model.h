#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "privpfc/classifiers/naive_bayes.h"
#include "privpfc/privacy/epsilon.h"

namespace privpfc {

// What the mechanisms said about the rows, and the model that is made of it: for `post_process`.
// Nothing in here is private any more.
struct NbAnswers {
  struct FeatureAnswer {
    Epsilon epsilon;                   // what the attribute's answer cost
    std::vector<std::int64_t> counts;  // categories: noisy counts, class-major
    std::vector<double> means;         // numbers, by class
    std::vector<double> deviations;
  };
  std::vector<std::int64_t> classes;  // noisy
  std::vector<FeatureAnswer> features;
};

// The mean and deviation of each class from noisy sums (nb_counts.h). `counts`: the noisy number of
// rows behind them.
NbAnswers::FeatureAnswer nb_gaussians(const std::vector<std::int64_t>& counts,
                                      const std::vector<std::int64_t>& sums,
                                      const std::vector<std::int64_t>& squares,
                                      const Feature& feature);

// The same from means (and deviations) of places in fine units, nb_smooth_bounds.h.
NbAnswers::FeatureAnswer nb_gaussians_of_moments(const std::vector<std::int64_t>& means,
                                                 const std::vector<std::int64_t>& deviations,
                                                 const Feature& feature);
NbAnswers::FeatureAnswer nb_gaussians_of_mean_and_squares(const std::vector<std::int64_t>& counts,
                                                          const std::vector<std::int64_t>& means,
                                                          const std::vector<std::int64_t>& squares,
                                                          const Feature& feature);

std::unique_ptr<Model> nb_model(const NbAnswers& answers, const FeatureSpace& space,
                                NaiveBayesOptions::Density density);

}  // namespace privpfc
