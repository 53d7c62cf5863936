#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "privpfc/as_published/method.h"
#include "privpfc/schema/schema_reader.h"

using namespace privpfc;

namespace {

using Json = nlohmann::json;

std::unique_ptr<PublishedMethod> published(std::string_view name) {
  for (auto& method : published_methods()) {
    if (method->name() == name) return std::move(method);
  }
  FAIL(name);
  return nullptr;
}

// Rows whose label follows the number x and the category k, and one in ten anything.
struct World {
  Schema schema;
  FeatureSpace space;
  Dataset data;

  World(const PublishedMethod& method, std::size_t classes, std::size_t count)
      : schema(*read_schema_text(
                    fmt::format("name: tiny\nlabel: {{column: y, classes: [{}]}}\nattributes:\n"
                                "  x: {{type: integer, domain: [0, 99], levels: [20, 4], "
                                "missing: [\"\"]}}\n"
                                "  k: {{type: categorical, tree: [u, v, w]}}\n",
                                classes == 2 ? "a, b" : "a, b, c"))
                    .schema),
        space(make_feature_space(schema, method.views(schema, 1)).value()) {
    data.rows = empty_rows(space);
    data.rows.count = count;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t number = (i * 37) % 100;
      const std::size_t category = (i / 100) % 3;
      data.weights.push_back(1);
      data.labels.push_back(static_cast<std::uint8_t>(i % 10 == 0     ? i / 10 % classes
                                                      : number < 50   ? 0
                                                      : category == 2 ? 1
                                                                      : classes - 1));
      FeatureColumn& x = data.rows.columns[0];
      if (space.features[0].is_number()) {
        x.numbers.push_back(static_cast<double>(number));
      } else {
        x.codes.push_back(
            static_cast<std::uint16_t>(number * space.features[0].categories.size() / 100));
      }
      data.rows.columns[1].codes.push_back(static_cast<std::uint16_t>(category));
    }
  }

  double error(const Model& model) const {
    const Predictions said = predict_rows(model, data.rows, space.class_count(), 1);
    double wrong = 0;
    for (std::size_t i = 0; i < data.count(); ++i) wrong += said.labels[i] != data.labels[i];
    return wrong / static_cast<double>(data.count());
  }
};

}  // namespace

TEST_CASE("published methods learn, repeat themselves, and say that they are not private") {
  for (const auto& method : published_methods()) {
    CAPTURE(method->name());
    CHECK(method->name().ends_with("-as-published"));
    CHECK(method->reality().starts_with("NOT PRIVATE"));
    const World world(*method, 2, 6'000);
    const auto train = [&](double epsilon, std::uint64_t seed) {
      return method->train(world.data, world.schema, world.space, epsilon, seed).value();
    };
    CHECK(world.error(*train(50, 1)) < 0.25);
    CHECK(train(50, 1)->kind() == method->model());
    CHECK(train(0.1, 2)->parameters() == train(0.1, 2)->parameters());
    CHECK(train(0.1, 2)->parameters() != train(0.1, 3)->parameters());
  }
}

TEST_CASE("published methods take three classes, but for one that its paper has for two") {
  for (const auto& method : published_methods()) {
    CAPTURE(method->name());
    const World world(*method, 3, 6'000);
    const auto model = method->train(world.data, world.schema, world.space, 200, 1);
    if (method->name() == "forest-rana-2016-as-published") {
      CHECK(model.error().kind == ErrorKind::kUsage);
    } else {
      CHECK(world.error(*model.value()) < 0.5);
    }
  }
}

TEST_CASE("published methods manage without rows, or refuse") {
  for (const auto& method : published_methods()) {
    CAPTURE(method->name());
    const World none(*method, 2, 0);
    const auto model = method->train(none.data, none.schema, none.space, 1, 1);
    if (!model.ok()) CHECK(model.error().kind == ErrorKind::kData);
  }
}

TEST_CASE("published output perturbation has noise of length 2 d / (lambda epsilon)") {
  const auto method = published("svm-output-as-published");
  const World world(*method, 2, 1'000);
  constexpr double kEpsilon = 1e-6;  // so that nothing else is seen
  constexpr int kRuns = 400;
  double sum = 0;
  std::size_t dimension = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto model = method->train(world.data, world.schema, world.space, kEpsilon,
                                     static_cast<std::uint64_t>(run));
    const Json weights = Json::parse(model.value()->parameters())["pairs"][0]["weights"];
    double squares = 0;
    for (const Json& weight : weights) squares += weight.get<double>() * weight.get<double>();
    sum += std::sqrt(squares);
    dimension = weights.size() - 1;
  }
  const double lambda = 1'000 * std::pow(10, -2.5);
  const double entry = 1 / std::sqrt(2.0);
  CHECK(sum / kRuns ==
        doctest::Approx(entry * 2 * static_cast<double>(dimension) / (lambda * kEpsilon))
            .epsilon(0.05));
}

TEST_CASE("the published tree cuts numbers at the rows' own median") {
  const auto method = published("tree-cart-as-published");
  World world(*method, 2, 3'000);
  std::vector<double>& numbers = world.data.rows.columns[0].numbers;
  for (double& number : numbers) number = number < 50 ? 3 : 7;
  std::fill(world.data.rows.columns[1].codes.begin(), world.data.rows.columns[1].codes.end(), 0);
  const auto tree = [&] {
    return method->train(world.data, world.schema, world.space, 1e6, 1).value()->parameters();
  };
  // Half of the rows are at 3: one of them decides what the median is.
  const std::string before = tree();
  *std::find(numbers.begin(), numbers.end(), 7) = 3;
  CHECK(tree() != before);
}

TEST_CASE("the published majority of a leaf follows the printed law (1e-6)") {
  const auto method = published("forest-fletcher-islam-2016-as-published");
  World world(*method, 2, 0);
  // Alike in all values and labels: a tree's rows are in one leaf, and their number is the gap.
  constexpr int kRows = 1'000;
  for (int i = 0; i < kRows; ++i) {
    world.data.labels.push_back(1);
    world.data.weights.push_back(1);
    for (FeatureColumn& column : world.data.rows.columns) column.codes.push_back(0);
  }
  world.data.rows.count = kRows;
  constexpr double kEpsilon = 0.5;
  constexpr int kForests = 400;
  double others = 0;
  for (std::uint64_t seed = 0; seed < kForests; ++seed) {
    const auto model = method->train(world.data, world.schema, world.space, kEpsilon, seed).value();
    others += 100 * predict_rows(*model, take_rows(world.data, {0}).rows, 2, 1).row(0)[0];
  }
  double share = 0;                           // of trees that name the other class
  double chance = std::pow(1 - 0.01, kRows);  // that a tree has `gap` rows
  for (int gap = 0; gap <= kRows; ++gap) {
    const double sureness = std::exp(std::min(700.0, kEpsilon / 2 * std::exp(kEpsilon * gap)));
    // Without rows the first class is the one that counts as the largest.
    share += chance * (gap == 0 ? sureness : 1) / (1 + sureness);
    chance *= static_cast<double>(kRows - gap) / (gap + 1) * 0.01 / 0.99;
  }
  const double expected = 100.0 * kForests * share;
  CAPTURE(expected);
  CHECK(std::abs(others - expected) < 4.9 * std::sqrt(expected));
}
