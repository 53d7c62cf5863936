#include "privpfc/classifiers/logistic.h"

#include "classifiers/generated.h"
#include "privpfc/classifiers/lbfgs.h"

using namespace privpfc;
using namespace privpfc::testing;

TEST_CASE("L-BFGS finds the bottom of Rosenbrock's valley") {
  std::vector<double> x = {-1.2, 1};
  const bool reached = minimise_lbfgs(
      [](std::span<const double> p, std::span<double> g) {
        const double a = 1 - p[0];
        const double b = p[1] - p[0] * p[0];
        g[0] = -2 * a - 400 * p[0] * b;
        g[1] = 200 * b;
        return a * a + 100 * b * b;
      },
      x, 1e-10, 1000);
  CHECK(reached);
  CHECK(x[0] == doctest::Approx(1).epsilon(1e-9));
  CHECK(x[1] == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("one binary input: the coefficients are those of Newton's method done by hand") {
  // With only the category as input, 60 of 80 rows of `p` and 10 of 40 of `q` are of class b. Both
  // classes' coefficients mirror each other; this solves the two stationarity conditions.
  FeatureSpace space = generated_space(2);
  space.features = {space.features[2]};
  Dataset data;
  data.rows.count = 4;
  data.rows.columns.resize(1);
  data.rows.columns[0].codes = {0, 0, 1, 1};
  data.labels = {0, 1, 0, 1};
  data.weights = {20, 60, 30, 10};
  const auto model = train_logistic(space, data, {.l2 = 2, .tolerance = 1e-12});
  REQUIRE(model.ok());
  const Predictions out = predict_rows(**model, data.rows, 2, 1);
  const double p = out.row(0)[1];
  const double q = out.row(2)[1];
  // The bias is free: the expected number of class b is the true one.
  CHECK(80 * p + 40 * q == doctest::Approx(70).epsilon(1e-8));
  // Coefficients u of `p` and v of `q` (class b) have l2 u = 60 - 80 p and l2 v = 10 - 40 q, and
  // the other class the opposite; their log-odds differ by 2 (u - v).
  const double u = (60 - 80 * p) / 2;
  const double v = (10 - 40 * q) / 2;
  CHECK(std::log(p / (1 - p)) - std::log(q / (1 - q)) ==
        doctest::Approx(2 * (u - v)).epsilon(1e-6));
}

TEST_CASE("copies of rows, not merged, give the same logistic regression to 1e-6") {
  const FeatureSpace space = generated_space(3);
  const Dataset data = generated_data(3, 500, 61);
  const LogisticOptions options{.tolerance = 1e-10};
  const auto weighted = train_logistic(space, data, options);
  const auto copied = train_logistic(space, copies_of(data), options);
  const Predictions a = predict_rows(**weighted, data.rows, 3, 1);
  const Predictions b = predict_rows(**copied, data.rows, 3, 1);
  for (std::size_t k = 0; k < a.probabilities.size(); ++k) {
    CHECK(std::abs(a.probabilities[k] - b.probabilities[k]) < 1e-6);
  }
}

TEST_CASE("a class without rows is hardly ever predicted") {
  const FeatureSpace space = generated_space(3);
  Dataset data = generated_data(3, 300, 62);
  for (std::uint8_t& label : data.labels) label = label == 2 ? 0 : label;
  const auto model = train_logistic(space, data, {});
  REQUIRE(model.ok());
  const Predictions out = predict_rows(**model, data.rows, 3, 1);
  for (std::size_t i = 0; i < data.count(); ++i) CHECK(out.row(i)[2] < 0.01);
}
