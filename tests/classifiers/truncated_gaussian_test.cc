#include "privpfc/classifiers/truncated_gaussian.h"

#include "classifiers/generated.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

constexpr double kLow = 10;
constexpr double kHigh = 30;
constexpr double kWidth = kHigh - kLow;

struct Sample {
  std::string name;
  std::vector<double> values;
  std::vector<double> weights;
  double mean = 0;
  double variance = 0;
};

Sample sample(const char* name, std::vector<double> values, std::vector<double> weights) {
  Sample made{name, std::move(values), std::move(weights)};
  double total = 0;
  for (std::size_t i = 0; i < made.values.size(); ++i) {
    total += made.weights[i];
    made.mean += made.weights[i] * made.values[i];
  }
  made.mean /= total;
  for (std::size_t i = 0; i < made.values.size(); ++i) {
    made.variance += made.weights[i] * std::pow(made.values[i] - made.mean, 2) / total;
  }
  return made;
}

Sample normal_sample(const char* name, double mean, double deviation) {
  Random random(7);
  std::vector<double> values;
  std::vector<double> weights;
  while (values.size() < 200) {
    const double value = mean + deviation * random.normal();
    if (value < kLow || value > kHigh) continue;
    values.push_back(value);
    weights.push_back(static_cast<double>(1 + random.below(5)));
  }
  return sample(name, values, weights);
}

// The mass by Simpson's rule, relative to the largest density: no formula of ours.
double log_likelihood(const Sample& data, double mean, double deviation) {
  const auto exponent = [&](double x) { return -std::pow((x - mean) / deviation, 2) / 2; };
  const double top = exponent(std::fmin(kHigh, std::fmax(kLow, mean)));
  constexpr int kSteps = 800;
  double area = 0;
  for (int k = 0; k <= kSteps; ++k) {
    const double part = std::exp(exponent(kLow + kWidth * k / kSteps) - top);
    area += part * (k == 0 || k == kSteps ? 1 : k % 2 == 1 ? 4 : 2) * kWidth / (3 * kSteps);
  }
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < data.values.size(); ++i) {
    sum += data.weights[i] * (exponent(data.values[i]) - top - std::log(area));
    total += data.weights[i];
  }
  return sum / total;
}

}  // namespace

TEST_CASE("no Gaussian of a fine grid makes the values likelier than the fit, whatever they are") {
  const std::vector<Sample> samples = {
      normal_sample("well within", 18, 2),
      normal_sample("cut on one side", 11, 4),
      normal_sample("the mean is outside", 4, 5),
      normal_sample("nearly uniform", 20, 60),
      sample("uniform", {10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}, std::vector<double>(11, 3)),
      sample("crowds at both bounds", {10, 11, 29, 30}, {9, 1, 2, 7}),
      sample("crowds at one bound", {10, 10.5, 11, 14}, {50, 8, 4, 1}),
      sample("two values", {17, 19}, {2, 5}),
  };
  for (const Sample& data : samples) {
    CAPTURE(data.name);
    const TruncatedGaussian fit = fit_truncated_gaussian(kLow, kHigh, data.mean, data.variance);
    CHECK(fit.deviation >= kLeastDeviation * kWidth * (1 - 1e-9));
    CHECK(fit.deviation <= kLargestDeviation * kWidth * (1 + 1e-9));
    const double reached = log_likelihood(data, fit.mean, fit.deviation);
    double best = -1e300;
    for (int d = 0; d <= 40; ++d) {
      const double deviation =
          kWidth * 0.02 * std::pow(kLargestDeviation / 0.02, static_cast<double>(d) / 40);
      for (int m = -40; m <= 40; ++m) {
        // Around the bounds, and for a large deviation far outside: what counts then is the slope.
        const double part = m / 40.0;
        const double mean =
            20 + 0.75 * kWidth * part + 100 * part * part * part * deviation * deviation / kWidth;
        best = std::fmax(best, log_likelihood(data, mean, deviation));
      }
    }
    CHECK(reached > best - 1e-6);  // Simpson's rule is that exact
    CHECK(reached < best + 0.02);  // and the grid that fine: it is not blind
  }
}

TEST_CASE("one value: the least deviation around it; at a bound, as close to it") {
  const TruncatedGaussian within = fit_truncated_gaussian(kLow, kHigh, 14, 0);
  CHECK(within.mean == doctest::Approx(14).epsilon(1e-9));
  CHECK(within.deviation == doctest::Approx(kLeastDeviation * kWidth).epsilon(1e-9));
  for (const double bound : {kLow, kHigh}) {
    const TruncatedGaussian at = fit_truncated_gaussian(kLow, kHigh, bound, 0);
    const double outwards = bound == kLow ? -1 : 1;
    CHECK(std::isfinite(at.mean));
    // The density falls from the bound by a factor e within about a thousandth of the width.
    const double slope = outwards * (at.mean - bound) / (at.deviation * at.deviation);
    const double fall =
        slope * kLeastDeviation * kWidth + std::pow(kLeastDeviation * kWidth / at.deviation, 2) / 2;
    CHECK(fall == doctest::Approx(1).epsilon(0.5));
  }
}

TEST_CASE("a fit turned round is the fit of the values turned round") {
  const TruncatedGaussian one = fit_truncated_gaussian(kLow, kHigh, 13, 9);
  const TruncatedGaussian other = fit_truncated_gaussian(kLow, kHigh, 27, 9);
  CHECK(one.deviation == doctest::Approx(other.deviation).epsilon(1e-9));
  CHECK(one.mean - kLow == doctest::Approx(kHigh - other.mean).epsilon(1e-7));
}

TEST_CASE("moments that noise has made impossible still give a density") {
  for (const double mean : {-1e6, 5.0, 20.0, 31.0, 1e9}) {
    for (const double variance : {-3.0, 0.0, 1.0, 1e12}) {
      const TruncatedGaussian fit = fit_truncated_gaussian(kLow, kHigh, mean, variance);
      CHECK(std::isfinite(fit.mean));
      CHECK(fit.deviation > 0);
      CHECK(std::isfinite(
          log_normal_mass((kLow - fit.mean) / fit.deviation, (kHigh - fit.mean) / fit.deviation)));
    }
  }
}

TEST_CASE("the mass of the normal law, near the mean and where erfc has vanished") {
  CHECK(log_normal_mass(-1, 1) == doctest::Approx(std::log(0.6826894921370859)).epsilon(1e-14));
  CHECK(log_normal_mass(1, 2) == doctest::Approx(std::log(0.13590512198327787)).epsilon(1e-13));
  CHECK(log_normal_mass(-2, -1) == log_normal_mass(1, 2));
  // Known values of the upper tail.
  CHECK(log_normal_mass(10, 1e3) == doctest::Approx(-53.23128515051247).epsilon(1e-13));
  CHECK(log_normal_mass(50, 1e3) == doctest::Approx(-1254.8313611394199).epsilon(1e-13));
  // A narrow strip far out: the density times its width.
  const double strip = -40.0 * 40 / 2 - std::log(2 * 3.141592653589793) / 2 + std::log(1e-8);
  CHECK(log_normal_mass(40, 40 + 1e-8) == doctest::Approx(strip).epsilon(1e-9));
}
