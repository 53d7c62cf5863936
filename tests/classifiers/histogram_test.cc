#include "privpfc/classifiers/histogram.h"

#include "classifiers/generated.h"
#include "privpfc/classifiers/majority.h"

using namespace privpfc;
using namespace privpfc::testing;

TEST_CASE("bins hold their lower end, or their upper one") {
  const Bins low{{0, 1, 2, 4}, false};
  CHECK(bin_of(low, 0) == 0);
  CHECK(bin_of(low, 1) == 1);
  CHECK(bin_of(low, 1.5) == 1);
  CHECK(bin_of(low, 4) == 2);
  const Bins high{{0, 1, 2, 4}, true};
  CHECK(bin_of(high, 0) == 0);
  CHECK(bin_of(high, 1) == 0);
  CHECK(bin_of(high, 2.5) == 2);
  CHECK(bin_of(high, std::nan("")) == kMissingCode);
}

TEST_CASE("a row gets the shares of its cell, or those of all rows where the cell is empty") {
  FeatureSpace space = generated_space(2);
  space.features = {space.features[0], space.features[2]};
  Dataset data;
  data.rows.count = 4;
  data.rows.columns.resize(2);
  data.rows.columns[0].numbers = {-0.5, -0.9, 3, std::nan("")};  // bins are 1 wide
  data.rows.columns[1].codes = {1, 1, 1, 2};
  data.labels = {0, 1, 0, 1};
  data.weights = {3, 1, 1, 15};
  const auto model = train_histogram(space, data);
  REQUIRE(model.ok());
  Rows rows;
  rows.count = 4;
  rows.columns.resize(2);
  rows.columns[0].numbers = {-0.1, 3.9, std::nan(""), -0.1};
  rows.columns[1].codes = {1, 1, 2, kMissingCode};
  const Predictions out = predict_rows(**model, rows, 2, 1);
  CHECK(out.labels == std::vector<std::uint8_t>{0, 0, 1, 1});
  CHECK(out.row(0)[0] == 0.75);
  CHECK(out.row(3)[0] == 0.2);
}

TEST_CASE("majority says the most frequent class, whatever the row") {
  const FeatureSpace space = generated_space(3);
  Dataset data = generated_data(3, 100, 1);
  for (std::size_t i = 0; i < data.count(); ++i) data.weights[i] = data.labels[i] == 1 ? 5 : 1;
  const auto model = train_majority(space, data);
  REQUIRE(model.ok());
  const std::vector<double> weights = class_weights(data, 3);
  const Predictions out = predict_rows(**model, data.rows, 3, 1);
  for (std::size_t i = 0; i < data.count(); ++i) CHECK(out.labels[i] == 1);
  CHECK(out.row(9)[2] ==
        doctest::Approx(weights[2] / (weights[0] + weights[1] + weights[2])).epsilon(1e-12));
}
