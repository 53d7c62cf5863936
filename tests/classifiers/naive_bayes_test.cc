#include "privpfc/classifiers/naive_bayes.h"

#include <numbers>

#include "classifiers/generated.h"
#include "privpfc/classifiers/truncated_gaussian.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

// One number within [-4, 4] (`x`) or one category of five (`c`); two classes.
FeatureSpace single(std::size_t feature) {
  FeatureSpace space = generated_space(2);
  space.features = {space.features[feature]};
  return space;
}

Dataset numbers(std::vector<double> values, std::vector<std::uint8_t> labels,
                std::vector<double> weights) {
  Dataset data;
  data.rows.count = values.size();
  data.rows.columns.resize(1);
  data.rows.columns[0].numbers = std::move(values);
  data.labels = std::move(labels);
  data.weights = std::move(weights);
  return data;
}

double density(double x, double mean, double deviation) {
  const double z = (x - mean) / deviation;
  return std::exp(-z * z / 2) / (deviation * std::sqrt(2 * std::numbers::pi));
}

// In logarithms, since the mean before the cut may be far outside.
double log_cut_density(double x, const TruncatedGaussian& law) {
  const double z = (x - law.mean) / law.deviation;
  return -z * z / 2 - std::log(law.deviation * std::sqrt(2 * std::numbers::pi)) -
         log_normal_mass((-4 - law.mean) / law.deviation, (4 - law.mean) / law.deviation);
}

}  // namespace

TEST_CASE("categories: class shares and Laplace smoothing, by hand") {
  const FeatureSpace space = single(2);
  Dataset data;
  data.rows.count = 4;
  data.rows.columns.resize(1);
  data.rows.columns[0].codes = {0, 1, 0, kMissingCode};
  data.labels = {0, 0, 1, 1};
  data.weights = {3, 1, 2, 5};
  const auto model = train_naive_bayes(space, data, {});
  REQUIRE(model.ok());
  Rows rows;
  rows.count = 3;
  rows.columns.resize(1);
  rows.columns[0].codes = {0, 4, kMissingCode};
  const Predictions out = predict_rows(**model, rows, 2, 1);
  // Class weights 4 and 7; with one added to each, 5/13 and 8/13. Category weights 3, 1, 0, 0, 0
  // and 2, 0, 0, 0, 0: the missing one does not count.
  const double p0 = 5.0 / 13 * 4 / 9;
  const double p1 = 8.0 / 13 * 3 / 7;
  CHECK(out.row(0)[0] == doctest::Approx(p0 / (p0 + p1)).epsilon(1e-12));
  const double q0 = 5.0 / 13 * 1 / 9;
  const double q1 = 8.0 / 13 * 1 / 7;
  CHECK(out.row(1)[1] == doctest::Approx(q1 / (q0 + q1)).epsilon(1e-12));
  CHECK(out.row(2)[0] == doctest::Approx(5.0 / 13).epsilon(1e-12));
  CHECK(out.labels == std::vector<std::uint8_t>{1, 1, 1});
}

TEST_CASE("numbers: weighted Gaussians, by hand") {
  const FeatureSpace space = single(0);
  const Dataset data = numbers({-4, 0, 3, 1, std::nan("")}, {0, 0, 1, 1, 0}, {3, 1, 1, 1, 2});
  // Class 0: mean -3, variance 3. Class 1: mean 2, variance 1. Priors (6+1)/10 and (2+1)/10.
  const auto model = train_naive_bayes(space, data, {});
  REQUIRE(model.ok());
  const double p0 = 0.7 * density(0.5, -3, std::sqrt(3.0));
  const double p1 = 0.3 * density(0.5, 2, 1);
  const Predictions out = predict_rows(**model, numbers({0.5}, {0}, {1}).rows, 2, 1);
  CHECK(out.row(0)[0] == doctest::Approx(p0 / (p0 + p1)).epsilon(1e-10));
}

TEST_CASE("numbers cut off at the public bounds: the density of the fit, scaled to its mass") {
  const FeatureSpace space = single(0);
  const Dataset data = numbers({-4, 0, 3, 1, std::nan("")}, {0, 0, 1, 1, 0}, {3, 1, 1, 1, 2});
  const auto model =
      train_naive_bayes(space, data, {.density = NaiveBayesOptions::Density::kTruncated});
  REQUIRE(model.ok());
  const double p0 = 0.7 * std::exp(log_cut_density(0.5, fit_truncated_gaussian(-4, 4, -3, 3)));
  const double p1 = 0.3 * std::exp(log_cut_density(0.5, fit_truncated_gaussian(-4, 4, 2, 1)));
  const Predictions out = predict_rows(**model, numbers({0.5}, {0}, {1}).rows, 2, 1);
  CHECK(out.row(0)[0] == doctest::Approx(p0 / (p0 + p1)).epsilon(1e-10));
}

TEST_CASE("values far out in the tail still give probabilities that add up") {
  const FeatureSpace space = single(0);
  const Dataset data = numbers({-4, -4, 4}, {0, 0, 1}, {1e6, 1, 1});
  const auto model =
      train_naive_bayes(space, data, {.density = NaiveBayesOptions::Density::kTruncated});
  REQUIRE(model.ok());
  const Predictions out =
      predict_rows(**model, numbers({4, 0.01, -4}, {0, 0, 0}, {1, 1, 1}).rows, 2, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(out.row(i)[0] + out.row(i)[1] == doctest::Approx(1).epsilon(1e-12));
  }
  CHECK(out.labels == std::vector<std::uint8_t>{1, 1, 0});
}

TEST_CASE("copies of rows, not merged, give the same naive Bayes") {
  const FeatureSpace space = generated_space(3);
  const Dataset data = generated_data(3, 800, 5);
  for (const auto kind :
       {NaiveBayesOptions::Density::kGaussian, NaiveBayesOptions::Density::kTruncated}) {
    const auto weighted = train_naive_bayes(space, data, {.density = kind});
    const auto copied = train_naive_bayes(space, copies_of(data), {.density = kind});
    const Predictions a = predict_rows(**weighted, data.rows, 3, 1);
    const Predictions b = predict_rows(**copied, data.rows, 3, 1);
    // The cut-off Gaussian is found by halving, which stops at 1e-12.
    const double close = kind == NaiveBayesOptions::Density::kGaussian ? 1e-12 : 1e-9;
    for (std::size_t k = 0; k < a.probabilities.size(); ++k) {
      CHECK(std::abs(a.probabilities[k] - b.probabilities[k]) < close);
    }
  }
}

TEST_CASE("smoothing must be above zero") {
  const auto model =
      train_naive_bayes(generated_space(2), generated_data(2, 20, 6), {.smoothing = 0});
  REQUIRE_FALSE(model.ok());
  CHECK(model.error().kind == ErrorKind::kUsage);
}
