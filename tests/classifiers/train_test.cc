#include "privpfc/classifiers/train.h"

#include "classifiers/generated.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

constexpr ModelKind kKinds[] = {ModelKind::kNaiveBayes, ModelKind::kSvm,      ModelKind::kLinearSvm,
                                ModelKind::kTree,       ModelKind::kLogistic, ModelKind::kHistogram,
                                ModelKind::kMajority};

}  // namespace

TEST_CASE("n equal rows and one row of weight n give the same model, bit for bit, of every kind") {
  for (const std::size_t classes : {2U, 4U}) {
    const FeatureSpace space = generated_space(classes);
    const Dataset data = generated_data(classes, 300, 101);
    const Dataset copies = copies_of(data);
    for (const ModelKind kind : kKinds) {
      CAPTURE(model_name(kind));
      const auto weighted = train(kind, space, data, {});
      const auto copied = train(kind, space, copies, {});
      REQUIRE(weighted.ok());
      REQUIRE(copied.ok());
      CHECK((*weighted)->parameters() == (*copied)->parameters());
      CHECK((*weighted)->kind() == kind);
    }
  }
}

TEST_CASE("doubling all weights changes what depends on the number of rows, so weights do count") {
  // The histogram and the majority look at shares only.
  const FeatureSpace space = generated_space(2);
  const Dataset data = generated_data(2, 300, 102);
  Dataset twice = data;
  for (std::size_t i = 0; i < twice.count(); ++i) twice.weights[i] *= i % 2 == 0 ? 2 : 1;
  for (const ModelKind kind : kKinds) {
    CAPTURE(model_name(kind));
    CHECK((*train(kind, space, data, {}))->parameters() !=
          (*train(kind, space, twice, {}))->parameters());
  }
}

TEST_CASE("the number of threads changes neither a model nor its predictions") {
  const FeatureSpace space = generated_space(3);
  const Dataset data = generated_data(3, 400, 103);
  const Dataset fresh = generated_data(3, 3000, 104);
  for (const ModelKind kind : kKinds) {
    CAPTURE(model_name(kind));
    TrainOptions options;
    options.set_threads(1);
    const auto one = train(kind, space, data, options);
    options.set_threads(3);
    const auto three = train(kind, space, data, options);
    CHECK((*one)->parameters() == (*three)->parameters());
    const Predictions a = predict_rows(**one, fresh.rows, 3, 1);
    const Predictions b = predict_rows(**three, fresh.rows, 3, 4);
    CHECK(a.labels == b.labels);
    CHECK(a.probabilities == b.probabilities);
  }
}

TEST_CASE("every learner beats the majority on fresh rows, with probabilities that add up") {
  for (const std::size_t classes : {2U, 3U}) {
    const FeatureSpace space = generated_space(classes);
    const Dataset data = generated_data(classes, 1000, 105);
    const Dataset fresh = generated_data(classes, 1000, 106);
    double majority_wrong = 0;
    for (auto kind = std::rbegin(kKinds); kind != std::rend(kKinds); ++kind) {
      CAPTURE(model_name(*kind));
      const auto model = train(*kind, space, data, {});
      REQUIRE(model.ok());
      const Predictions out = predict_rows(**model, fresh.rows, classes, 0);
      double wrong = 0;
      for (std::size_t i = 0; i < fresh.count(); ++i) {
        wrong += out.labels[i] != fresh.labels[i] ? 1 : 0;
        double sum = 0;
        for (std::size_t c = 0; c < classes; ++c) sum += out.row(i)[c];
        CHECK(sum == doctest::Approx(1).epsilon(1e-9));
      }
      if (*kind == ModelKind::kMajority) {
        majority_wrong = wrong;
      } else {
        CHECK(wrong < 0.8 * majority_wrong);
      }
    }
  }
}

TEST_CASE("a model whose training was cut short says so") {
  const FeatureSpace space = generated_space(2);
  const Dataset data = generated_data(2, 300, 110);
  for (const ModelKind kind : kKinds) CHECK((*train(kind, space, data, {}))->converged());
  TrainOptions options;
  options.svm.smo.most_steps = 3;
  options.linear_svm.most_dimensions = 0;
  options.linear_svm.most_rounds = 1;
  options.logistic.most_steps = 1;
  for (const ModelKind kind : {ModelKind::kSvm, ModelKind::kLinearSvm, ModelKind::kLogistic}) {
    CAPTURE(model_name(kind));
    CHECK_FALSE((*train(kind, space, data, options))->converged());
  }
}

TEST_CASE("no rows, or only rows without weight, are refused") {
  const FeatureSpace space = generated_space(2);
  Dataset data = generated_data(2, 10, 107);
  data.weights.assign(10, 0);
  const auto model = train(ModelKind::kTree, space, data, {});
  REQUIRE_FALSE(model.ok());
  CHECK(model.error().kind == ErrorKind::kData);
  CHECK_FALSE(train(ModelKind::kMajority, space, generated_data(2, 0, 1), {}).ok());
}

TEST_CASE("features of no use do no harm: constant, all missing, one category") {
  const FeatureSpace space = generated_space(2);
  Dataset data = generated_data(2, 200, 108);
  for (double& x : data.rows.columns[0].numbers) x = std::nan("");
  for (double& n : data.rows.columns[1].numbers) n = 4;
  for (std::uint16_t& o : data.rows.columns[3].codes) o = 2;
  const Dataset fresh = generated_data(2, 100, 109);
  for (const ModelKind kind : kKinds) {
    CAPTURE(model_name(kind));
    const auto model = train(kind, space, data, {});
    REQUIRE(model.ok());
    for (const double p : predict_rows(**model, fresh.rows, 2, 1).probabilities) {
      CHECK(p >= 0);
      CHECK(p <= 1);
    }
  }
}
