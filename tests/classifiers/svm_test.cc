#include "privpfc/classifiers/svm.h"

#include "classifiers/generated.h"
#include "classifiers/libsvm.h"
#include "privpfc/classifiers/pairwise.h"

using namespace privpfc;
using namespace privpfc::testing;

TEST_CASE("predictions are LIBSVM's on the copied rows, for two and more classes") {
  for (const std::size_t classes : {2U, 3U, 5U}) {
    for (const auto kind : {KernelFunction::Kind::kRbf, KernelFunction::Kind::kLinear,
                            KernelFunction::Kind::kPolynomial}) {
      CAPTURE(classes);
      CAPTURE(static_cast<int>(kind));
      const FeatureSpace space = generated_space(classes);
      const Dataset data = merge_equal_rows(generated_data(classes, 350, 30 + classes));
      SvmOptions options{.kernel = kind, .cost = 2, .gamma = 0.25, .offset = 1, .degree = 2};
      options.smo.tolerance = 1e-5;
      options.probability_folds = 0;
      options.threads = 1;
      const auto model = train_svm(space, data, options);
      REQUIRE(model.ok());
      const InputMap map = InputMap::fit(space, data, Scaling::kStandard);
      const InputVectors points = map.map(data.rows, 0, data.count());
      const Libsvm oracle(points, {data.labels.begin(), data.labels.end()}, data.weights,
                          {kind, 0.25, 1, 2}, 2, 1e-5);
      const Dataset fresh = generated_data(classes, 500, 90);
      const InputVectors fresh_points = map.map(fresh.rows, 0, fresh.count());
      const Predictions out = predict_rows(**model, fresh.rows, classes, 1);
      std::size_t compared = 0;
      for (std::size_t i = 0; i < fresh.count(); ++i) {
        // On the very border rounding decides.
        bool near = false;
        for (const double d : oracle.decisions(fresh_points, i)) near = near || std::abs(d) < 1e-3;
        if (near) continue;
        ++compared;
        CHECK(out.labels[i] == oracle.predict(fresh_points, i));
      }
      CHECK(compared > 480);
    }
  }
}

TEST_CASE("copies of rows, not merged, give the same decisions to the tolerance of the solver") {
  const FeatureSpace space = generated_space(3);
  const Dataset data = merge_equal_rows(generated_data(3, 250, 41));
  SvmOptions options;
  options.smo.tolerance = 1e-9;
  options.probability_folds = 0;
  const auto weighted = train_svm(space, data, options);
  const auto copied = train_svm(space, copies_of(data), options);
  const Predictions a = predict_rows(**weighted, data.rows, 3, 1);
  const Predictions b = predict_rows(**copied, data.rows, 3, 1);
  CHECK(a.labels == b.labels);
  // Without sigmoids the probabilities are a fixed function of the decisions. Coupling stops at
  // its own tolerance, but does the same rounds.
  for (std::size_t k = 0; k < a.probabilities.size(); ++k) {
    CHECK(std::abs(a.probabilities[k] - b.probabilities[k]) < 1e-6);
  }
}

TEST_CASE("probabilities are about right: of rows given p, about p are of the class") {
  const FeatureSpace space = generated_space(2);
  const auto model = train_svm(space, merge_equal_rows(generated_data(2, 1200, 42)), {});
  REQUIRE(model.ok());
  const Dataset fresh = generated_data(2, 4000, 43);
  const Predictions out = predict_rows(**model, fresh.rows, 2, 1);
  double expected[4] = {};
  double seen[4] = {};
  double rows[4] = {};
  for (std::size_t i = 0; i < fresh.count(); ++i) {
    const double p = out.row(i)[1];
    CHECK(p + out.row(i)[0] == doctest::Approx(1));
    const auto bin = static_cast<std::size_t>(std::fmin(3, p * 4));
    expected[bin] += p;
    seen[bin] += fresh.labels[i];
    ++rows[bin];
  }
  for (std::size_t bin = 0; bin < 4; ++bin) {
    CHECK(rows[bin] > 50);
    CHECK(std::abs(seen[bin] - expected[bin]) < 0.12 * rows[bin]);
  }
}

TEST_CASE("coupling: pairs that agree with class probabilities give those back") {
  const std::vector<double> p = {0.6, 0.3, 0.1};
  const std::vector<double> pairs = {0.6 / 0.9, 0.6 / 0.7, 0.3 / 0.4};
  std::vector<double> out(3);
  couple(pairs, out);
  for (std::size_t c = 0; c < 3; ++c) CHECK(out[c] == doctest::Approx(p[c]).epsilon(0.02));
}

TEST_CASE("the sigmoid is the weighted maximum of the likelihood") {
  // Decisions of -1 and 1: the best sigmoid gives each side its own softened share.
  const std::vector<double> decisions = {1, 1, -1, -1};
  const std::vector<std::uint8_t> first = {1, 0, 1, 0};
  const std::vector<double> weights = {30, 10, 5, 15};
  const Sigmoid sigmoid = fit_sigmoid(decisions, first, weights);
  const double high = 36.0 / 37;
  const double low = 1.0 / 27;
  CHECK(sigmoid(1) == doctest::Approx((30 * high + 10 * low) / 40).epsilon(1e-6));
  CHECK(sigmoid(-1) == doctest::Approx((5 * high + 15 * low) / 20).epsilon(1e-6));
}

TEST_CASE("a class without rows, and data of a single class") {
  const FeatureSpace space = generated_space(3);
  Dataset data = generated_data(3, 200, 44);
  for (std::uint8_t& label : data.labels) label = label == 1 ? 0 : label;
  data = merge_equal_rows(data);
  auto model = train_svm(space, data, {});
  REQUIRE(model.ok());
  for (const std::uint8_t label : predict_rows(**model, data.rows, 3, 1).labels) CHECK(label != 1);
  for (std::uint8_t& label : data.labels) label = 2;
  model = train_svm(space, merge_equal_rows(data), {});
  REQUIRE(model.ok());
  for (const std::uint8_t label : predict_rows(**model, data.rows, 3, 1).labels) CHECK(label == 2);
}

TEST_CASE("options out of range are refused") {
  const FeatureSpace space = generated_space(2);
  const Dataset data = generated_data(2, 20, 45);
  CHECK_FALSE(train_svm(space, data, {.cost = 0}).ok());
  CHECK_FALSE(train_svm(space, data, {.gamma = -1}).ok());
  CHECK_FALSE(train_svm(space, data, {.degree = 0}).ok());
  CHECK_FALSE(train_svm(space, data, {.probability_folds = 1}).ok());
}
