#include "privpfc/direct/nb_model.h"

#include <algorithm>
#include <cmath>

#include "privpfc/direct/nb_counts.h"

namespace privpfc {

namespace {

constexpr double kLeastVariance = 1e-4;  // of a place between -1 and 1

double at_least_one(std::int64_t count) {
  return static_cast<double>(std::max<std::int64_t>(count, 1));
}

std::vector<double> log_priors(const std::vector<std::int64_t>& counts) {
  double total = 0;
  for (const std::int64_t count : counts) total += at_least_one(count);
  std::vector<double> priors;
  for (const std::int64_t count : counts) priors.push_back(std::log(at_least_one(count) / total));
  return priors;
}

// Noise makes rare categories look certain. About its own size, 1/epsilon, is added to every count.
std::vector<std::vector<double>> log_shares(const NbAnswers::FeatureAnswer& answer,
                                            std::size_t classes, std::size_t categories) {
  const double epsilon =
      static_cast<double>(answer.epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
  std::vector<std::vector<double>> by_class;
  for (std::size_t c = 0; c < classes; ++c) {
    std::vector<double> shares;
    double total = 0;
    for (std::size_t k = 0; k < categories; ++k) {
      const auto count = static_cast<double>(answer.counts[c * categories + k]);
      shares.push_back(std::max(count, 0.0) + 1 / epsilon + 1);
      total += shares.back();
    }
    for (double& share : shares) share = std::log(share / total);
    by_class.push_back(std::move(shares));
  }
  return by_class;
}

}  // namespace

NbAnswers::FeatureAnswer nb_gaussians(const std::vector<std::int64_t>& counts,
                                      const std::vector<std::int64_t>& sums,
                                      const std::vector<std::int64_t>& squares,
                                      const Feature& feature) {
  NbAnswers::FeatureAnswer answer;
  constexpr auto unit = static_cast<double>(kNbUnit);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const double rows = at_least_one(counts[c]);
    const double mean = std::clamp(static_cast<double>(sums[c]) / unit / rows, -1.0, 1.0);
    const double square = static_cast<double>(squares[c]) / unit / rows + 0.5;
    const double variance = std::clamp(square - mean * mean, kLeastVariance, 1.0);
    answer.means.push_back(nb_from_lattice(mean * unit, feature.low, feature.high));
    answer.deviations.push_back(std::sqrt(variance) * (feature.high - feature.low) / 2);
  }
  return answer;
}

std::unique_ptr<Model> nb_model(const NbAnswers& answers, const FeatureSpace& space,
                                NaiveBayesOptions::Density density) {
  NaiveBayesParameters parameters;
  parameters.density = density;
  parameters.log_priors = log_priors(answers.classes);
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    const NbAnswers::FeatureAnswer& answer = answers.features[f];
    NaiveBayesParameters::FeatureParameters learned;
    if (space.features[f].is_number()) {
      learned.means = answer.means;
      learned.deviations = answer.deviations;
    } else {
      learned.log_shares =
          log_shares(answer, space.class_count(), space.features[f].categories.size());
    }
    parameters.features.push_back(std::move(learned));
  }
  return make_naive_bayes(space, parameters);
}

}  // namespace privpfc
