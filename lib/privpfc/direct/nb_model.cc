#include "privpfc/direct/nb_model.h"

#include <algorithm>
#include <cmath>

#include "privpfc/direct/nb_counts.h"
#include "privpfc/direct/nb_smooth_bounds.h"

namespace privpfc {

namespace {

constexpr double kLeastVariance = 1e-4;  // of a place between -1 and 1
constexpr auto kUnit = static_cast<double>(kNbUnit);
constexpr double kFineUnit = kUnit * static_cast<double>(kNbFine);

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

// A mean, between -1 and 1 as places are.
double within(double place) {
  return std::clamp(place, -1.0, 1.0);
}

double variance_of(std::int64_t centred_squares, double rows, double mean) {
  return static_cast<double>(centred_squares) / kUnit / rows + 0.5 - mean * mean;
}

void add_class(NbAnswers::FeatureAnswer& answer, double mean, double variance,
               const Feature& feature) {
  answer.means.push_back(nb_from_lattice(mean * kUnit, feature.low, feature.high));
  answer.deviations.push_back(std::sqrt(std::clamp(variance, kLeastVariance, 1.0)) *
                              (feature.high - feature.low) / 2);
}

struct Moments {
  double mean;
  double variance;
};

// A mean outside the domain, a variance of nothing or above what the domain allows: that much is
// noise. An attribute of which one class is drowned says nothing about any.
NbAnswers::FeatureAnswer unless_drowned(const std::vector<Moments>& moments,
                                        const Feature& feature) {
  const bool drowned = std::any_of(moments.begin(), moments.end(), [](const Moments& m) {
    return std::abs(m.mean) > 1 || !(m.variance > 0) || m.variance > 1;
  });
  NbAnswers::FeatureAnswer answer;
  for (const Moments& m : moments) {
    add_class(answer, drowned ? 0 : m.mean, drowned ? 0.25 : m.variance, feature);
  }
  return answer;
}

}  // namespace

NbAnswers::FeatureAnswer nb_gaussians(const std::vector<std::int64_t>& counts,
                                      const std::vector<std::int64_t>& sums,
                                      const std::vector<std::int64_t>& squares,
                                      const Feature& feature) {
  NbAnswers::FeatureAnswer answer;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const double rows = at_least_one(counts[c]);
    const double mean = within(static_cast<double>(sums[c]) / kUnit / rows);
    add_class(answer, mean, variance_of(squares[c], rows, mean), feature);
  }
  return answer;
}

NbAnswers::FeatureAnswer nb_gaussians_of_moments(const std::vector<std::int64_t>& means,
                                                 const std::vector<std::int64_t>& deviations,
                                                 const Feature& feature) {
  std::vector<Moments> moments;
  for (std::size_t c = 0; c < means.size(); ++c) {
    const double deviation = static_cast<double>(deviations[c]) / kFineUnit;
    moments.push_back(
        {static_cast<double>(means[c]) / kFineUnit, deviation > 0 ? deviation * deviation : 0});
  }
  return unless_drowned(moments, feature);
}

NbAnswers::FeatureAnswer nb_gaussians_of_mean_and_squares(const std::vector<std::int64_t>& counts,
                                                          const std::vector<std::int64_t>& means,
                                                          const std::vector<std::int64_t>& squares,
                                                          const Feature& feature) {
  std::vector<Moments> moments;
  for (std::size_t c = 0; c < means.size(); ++c) {
    const double mean = static_cast<double>(means[c]) / kFineUnit;
    moments.push_back({mean, variance_of(squares[c], at_least_one(counts[c]), within(mean))});
  }
  return unless_drowned(moments, feature);
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
