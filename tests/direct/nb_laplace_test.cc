#include "privpfc/direct/nb_laplace.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "direct/direct_schema.h"
#include "privpfc/classifiers/naive_bayes.h"
#include "privpfc/direct/nb_counts.h"
#include "support/direct_audit.h"
#include "support/effort.h"

using namespace privpfc;

namespace {

using Options = NaiveBayesDirectOptions;
using Json = nlohmann::json;

Options options(Options::Numbers numbers) {
  Options all;
  all.numbers = numbers;
  return all;
}

Schema tiny_schema() {
  return *read_schema_text(R"(
name: tiny
label: {column: y, classes: [a, b]}
attributes:
  x: {type: integer, domain: [0, 10], levels: [2], missing: [""]}
  k: {type: categorical, missing: [""], tree: [u, v]}
)")
              .schema;
}

}  // namespace

TEST_CASE("nb-laplace: a row more or less changes what the mechanisms are asked as declared") {
  for (const Options::Numbers numbers : {Options::Numbers::kBins, Options::Numbers::kGaussian}) {
    const auto method = nb_laplace(options(numbers));
    const DirectWorld world(*method, direct_schema(), eps("0.7"));
    CHECK(replay_random_neighbours(world, 1'000, 30, 1) == "");
    Random random(2);
    const Dataset data = random_direct_rows(random, world.space, 80);
    CHECK(replay_permutations(world, data, 1'000, 3) == "");
  }
}

TEST_CASE("nb-laplace: one value changes a sum by at most what is declared, and by that much") {
  std::int64_t most = 0;
  std::int64_t most_square = 0;
  Feature bounds;
  bounds.low = -3;
  bounds.high = 7;
  for (int step = -10; step <= 110; ++step) {
    Dataset one;
    one.rows.count = 1;
    one.labels = {0};
    one.weights = {1};
    one.rows.columns.resize(1);
    one.rows.columns[0].numbers = {-3 + step * 0.1};
    most = std::max(most, std::abs(nb_sums(one, 0, bounds, 1)[0]));
    most_square = std::max(most_square, std::abs(nb_centred_squares(one, 0, bounds, 1)[0]));
  }
  CHECK(most == kNbUnit);
  CHECK(most_square == kNbUnit / 2);
}

TEST_CASE("nb-laplace: almost without noise it is naive Bayes") {
  for (const Options::Numbers numbers : {Options::Numbers::kBins, Options::Numbers::kGaussian}) {
    const auto method = nb_laplace(options(numbers));
    const DirectWorld world(*method, direct_schema(), eps("1000"));
    Random random(4);
    const Dataset data = random_direct_rows(random, world.space, 20'000);
    SeededBits bits(5);
    Kernel kernel(bits);
    const Json learned = Json::parse(train_direct(world, data, kernel));
    const Json plain = Json::parse(train_naive_bayes(world.space, data, {}).value()->parameters());
    for (std::size_t f = 0; f < world.space.features.size(); ++f) {
      CAPTURE(f);
      const Feature& feature = world.space.features[f];
      for (std::size_t c = 0; c < 3; ++c) {
        if (feature.is_number()) {
          // `flag` has no place for a missing value, so that a row without one counts as the
          // middle: a twelfth of the rows.
          const double width =
              (feature.high - feature.low) * (feature.name == "flag" ? 0.05 : 2e-3);
          for (const char* what : {"means", "deviations"}) {
            CHECK(std::abs(learned["features"][f][what][c].get<double>() -
                           plain["features"][f][what][c].get<double>()) < width);
          }
          continue;
        }
        for (std::size_t k = 0; k < feature.categories.size(); ++k) {
          CHECK(learned["features"][f]["log_shares"][c][k].get<double>() ==
                doctest::Approx(plain["features"][f]["log_shares"][c][k].get<double>())
                    .epsilon(0.01));
        }
      }
    }
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(learned["log_priors"][c].get<double>() ==
            doctest::Approx(plain["log_priors"][c].get<double>()).epsilon(0.01));
    }
  }
}

TEST_CASE("nb-laplace: an empty table and a tiny epsilon give a model; a tinier one is refused") {
  for (const Options::Numbers numbers : {Options::Numbers::kBins, Options::Numbers::kGaussian}) {
    const auto method = nb_laplace(options(numbers));
    const DirectWorld world(*method, direct_schema(), eps("0.000001"));
    SeededBits bits(6);
    Kernel kernel(bits);
    const Dataset none = rows_without_values(world.space, {});
    const Json learned = Json::parse(train_direct(world, none, kernel));
    for (const auto& prior : learned["log_priors"]) CHECK(std::isfinite(prior.get<double>()));
    CHECK(method->check(world.setting(), eps("0.0000001")).error().kind == ErrorKind::kUsage);
  }
  Options none = options(Options::Numbers::kBins);
  none.shares.classes = 0;
  const auto method = nb_laplace(none);
  const DirectWorld world(*nb_laplace({}), direct_schema(), eps("1"));
  CHECK(method->check(world.setting(), eps("1")).error().kind == ErrorKind::kUsage);
}

TEST_CASE("nb-laplace: what could become a model that nobody can read is refused") {
  const Schema schema = direct_schema();
  const auto method = nb_laplace(options(Options::Numbers::kBins));
  FeatureSpace space = make_feature_space(schema, method->views(schema, eps("1"))).value();
  space.classes.resize(250, "class");
  CHECK(method->check({schema, space}, eps("1")).ok());
  for (Feature& feature : space.features) feature.categories.resize(40'000, "category");
  REQUIRE(space.features.size() > 2);
  const Status refused = method->check({schema, space}, eps("1"));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kLimit);
}

TEST_CASE("nb-laplace: audited, no more than epsilon and nearly as much (2e-6)") {
  const std::size_t runs = draws(200'000);
  Options most_for_classes = options(Options::Numbers::kBins);
  most_for_classes.shares.classes = 1'000;
  struct Case {
    const char* what;
    Options options;
    double at_least;
  };
  for (const Case& c : {Case{"even", options(Options::Numbers::kBins), 0},
                        Case{"even, Gaussian", options(Options::Numbers::kGaussian), 0},
                        Case{"classes", most_for_classes, 0.85}}) {
    CAPTURE(c.what);
    const auto method = nb_laplace(c.options);
    const DirectWorld world(*method, tiny_schema(), eps("1"));
    // Nothing against one row: of the values, and of the label alone.
    Dataset one = rows_without_values(world.space, {0});
    const Dataset none = rows_without_values(world.space, {});
    const Dataset by_label = rows_without_values(world.space, {0});
    CHECK(audited_epsilon(world, none, one, by_label, runs, 7) <= 1);
    if (world.space.features[0].is_number()) {
      one.rows.columns[0].numbers[0] = 10;
    } else {
      one.rows.columns[0].codes[0] = 1;
    }
    one.rows.columns[1].codes[0] = 1;
    CHECK(audited_epsilon(world, none, one, one, runs, 8) <= 1);
    if (kFullPower) {
      CHECK(audited_epsilon(world, none, one, by_label, runs, 9) >= c.at_least);
    }
  }
}
