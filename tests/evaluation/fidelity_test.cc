#include "privpfc/evaluation/fidelity.h"

#include <doctest/doctest.h>

using namespace privpfc;

namespace {

FeatureSpace space() {
  FeatureSpace space;
  space.classes = {"no", "yes"};
  space.features.push_back({.name = "a", .categories = {"x", "y"}});
  return space;
}

Dataset table(const std::vector<std::uint16_t>& codes, const std::vector<std::uint8_t>& labels,
              const std::vector<double>& weights) {
  Dataset data;
  data.rows.count = codes.size();
  data.rows.columns.push_back({{}, codes});
  data.labels = labels;
  data.weights = weights;
  return data;
}

}  // namespace

TEST_CASE("equal shares are at distance 0, whatever the number of rows") {
  const Dataset one = table({0, 1, kMissingCode}, {0, 1, 1}, {1, 2, 1});
  const Dataset ten = table({1, 0, kMissingCode}, {1, 0, 1}, {20, 10, 10});
  const Fidelity fidelity = compare_tables(space(), one, ten);
  CHECK(fidelity.label == 0);
  CHECK(fidelity.attributes[0].alone == 0);
  CHECK(fidelity.attributes[0].with_label == 0);
  CHECK(fidelity.attributes[0].groups == 3);
}

TEST_CASE("the distance is the largest difference in the share of any set, by hand") {
  const Dataset synthetic = table({0, 0, 1, 1}, {0, 1, 0, 1}, {1, 1, 1, 1});
  const Dataset real = table({0, 0, 1, 1}, {0, 1, 0, 1}, {2, 0, 0, 2});
  const Fidelity independent = compare_tables(space(), synthetic, real);
  CHECK(independent.label == 0);
  CHECK(independent.attributes[0].alone == 0);
  CHECK(independent.attributes[0].with_label == doctest::Approx(0.5));
  CHECK(independent.attributes[0].groups == 2);
  const Dataset elsewhere = table({kMissingCode}, {1}, {3});
  const Fidelity apart = compare_tables(space(), table({0}, {1}, {1}), elsewhere);
  CHECK(apart.label == 0);
  CHECK(apart.attributes[0].alone == 1);
  CHECK(apart.attributes[0].with_label == 1);
}
