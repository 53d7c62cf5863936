#include "privpfc/as_published/naive_bayes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "privpfc/schema/schema_reader.h"

using namespace privpfc;

namespace {

struct World {
  Schema schema = *read_schema_text(R"(
name: tiny
label: {column: y, classes: [a, b, c]}
attributes:
  x: {type: real, domain: [0, 100], levels: [4], missing: [""]}
  k: {type: categorical, missing: [""], tree: [u, v]}
)")
                       .schema;
  FeatureSpace space = make_feature_space(schema, plain_views(schema)).value();
  Dataset data;

  explicit World(std::size_t count) {
    data.rows = empty_rows(space);
    data.rows.count = count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t label = i % 3;
      data.labels.push_back(static_cast<std::uint8_t>(label));
      data.weights.push_back(1);
      const bool missing = i % 50 == 0;
      data.rows.columns[0].numbers.push_back(missing ? std::numeric_limits<double>::quiet_NaN()
                                                     : 20 + 30 * static_cast<double>(label) +
                                                           static_cast<double>(i % 11));
      data.rows.columns[1].codes.push_back(missing ? kMissingCode
                                                   : static_cast<std::uint16_t>(label == 0));
    }
  }

  double error(const Model& model) const {
    const Predictions said = predict_rows(model, data.rows, 3, 1);
    double wrong = 0;
    for (std::size_t i = 0; i < data.count(); ++i) wrong += said.labels[i] != data.labels[i];
    return wrong / static_cast<double>(data.count());
  }
};

std::vector<std::unique_ptr<PublishedMethod>> published_naive_bayes() {
  std::vector<std::unique_ptr<PublishedMethod>> methods;
  methods.push_back(nb_comparison_as_published());
  methods.push_back(nb_vaidya_as_published());
  methods.push_back(nb_smooth_as_published());
  return methods;
}

}  // namespace

TEST_CASE("published naive Bayes learns, repeats itself, and says that it is not private") {
  const World world(30'000);
  for (const auto& method : published_naive_bayes()) {
    CAPTURE(method->name());
    CHECK(method->name().ends_with("-as-published"));
    CHECK(method->reality().starts_with("NOT PRIVATE"));
    const auto train = [&](double epsilon, std::uint64_t seed) {
      return method->train(world.data, world.schema, world.space, epsilon, seed).value();
    };
    CHECK(world.error(*train(20, 1)) < 0.05);
    CHECK(train(1, 2)->parameters() == train(1, 2)->parameters());
    CHECK(train(1, 2)->parameters() != train(1, 3)->parameters());
  }
}

TEST_CASE("published naive Bayes cannot do without rows in every class") {
  const World none(0);
  const World two(2);
  for (const auto& method : published_naive_bayes()) {
    for (const World* world : {&none, &two}) {
      const auto model = method->train(world->data, world->schema, world->space, 1, 1);
      REQUIRE_FALSE(model.ok());
      CHECK(model.error().kind == ErrorKind::kData);
    }
  }
}

TEST_CASE("the comparison's means have noise of the width over the rows of the class") {
  const World world(3'000);  // 980 values of a class, epsilon' = epsilon/4
  const auto method = nb_comparison_as_published();
  double sum = 0;
  constexpr int kRuns = 4'000;
  for (int run = 0; run < kRuns; ++run) {
    const auto model =
        method->train(world.data, world.schema, world.space, 1, static_cast<std::uint64_t>(run));
    const std::string text = model.value()->parameters();
    const std::size_t at = text.find("\"means\":[") + 9;
    sum += std::abs(std::stod(text.substr(at)) - 24.99);
  }
  CHECK(sum / kRuns == doctest::Approx(100.0 / 980 / 0.25).epsilon(0.1));
}
