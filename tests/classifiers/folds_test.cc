#include "privpfc/classifiers/folds.h"

#include "classifiers/generated.h"

using namespace privpfc;
using namespace privpfc::testing;

TEST_CASE("folds share out every point, and are of equal size in every class") {
  const Dataset data = merge_equal_rows(generated_data(3, 1000, 3));
  const auto parts = deal_folds(data.labels, data.weights, 10, 1);
  REQUIRE(parts.size() == 10);
  for (std::size_t i = 0; i < data.count(); ++i) {
    double sum = 0;
    for (const auto& part : parts) {
      CHECK(part[i] == std::floor(part[i]));
      sum += part[i];
    }
    CHECK(sum == data.weights[i]);
  }
  const std::vector<double> totals = class_weights(data, 3);
  for (const auto& part : parts) {
    std::vector<double> of_class(3, 0);
    for (std::size_t i = 0; i < data.count(); ++i) of_class[data.labels[i]] += part[i];
    for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(of_class[c] - totals[c] / 10) < 2);
  }
}

TEST_CASE("fractions of a row are shared out too, and heavy points go to all folds alike") {
  const std::vector<std::uint8_t> labels = {0, 0, 0};
  const std::vector<double> weights = {0.75, 1e6 + 0.5, 0.75};
  const auto parts = deal_folds(labels, weights, 4, 1);
  double total = 0;
  for (const auto& part : parts) {
    CHECK(std::abs(part[1] - 250'000) <= 1);
    total += part[0] + part[1] + part[2];
  }
  CHECK(total == doctest::Approx(1'000'002).epsilon(1e-12));
}

TEST_CASE("another seed deals otherwise, the same seed the same") {
  const Dataset data = merge_equal_rows(generated_data(2, 300, 4));
  const auto one = deal_folds(data.labels, data.weights, 5, 1);
  CHECK(one == deal_folds(data.labels, data.weights, 5, 1));
  CHECK(one != deal_folds(data.labels, data.weights, 5, 2));
}
