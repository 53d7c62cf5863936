#include "privpfc/direct/nb_smooth.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "direct/direct_schema.h"
#include "privpfc/classifiers/naive_bayes.h"
#include "support/direct_audit.h"
#include "support/effort.h"

using namespace privpfc;

namespace {

using Options = NaiveBayesDirectOptions;
using Json = nlohmann::json;

std::vector<std::unique_ptr<DirectMethod>> smooth_methods(const Options& options) {
  std::vector<std::unique_ptr<DirectMethod>> methods;
  methods.push_back(nb_smooth(options));
  methods.push_back(nb_bun_steinke(options));
  methods.push_back(nb_smooth_delta(options));
  return methods;
}

Schema one_number() {
  return *read_schema_text(R"(
name: tiny
label: {column: y, classes: [a, b]}
attributes:
  x: {type: integer, domain: [0, 10], levels: [2], other: 5}
)")
              .schema;
}

}  // namespace

TEST_CASE("smooth naive Bayes: a row more or less changes what is asked as declared") {
  Options options;
  for (const unsigned trim : {0U, 5U, 30U}) {
    options.trim_percent = trim;
    for (const auto& method : smooth_methods(options)) {
      CAPTURE(method->name());
      const DirectWorld world(*method, direct_schema(), eps("2"));
      CHECK(replay_random_neighbours(world, thorough() ? 2'000 : (kFullPower ? 300 : 60), 90, 1) ==
            "");
    }
  }
  for (const auto& method : smooth_methods({})) {
    CAPTURE(method->name());
    const DirectWorld world(*method, direct_schema(), eps("0.3"));
    Random random(2);
    const Dataset data = random_direct_rows(random, world.space, 80);
    CHECK(replay_permutations(world, data, thorough() ? 1'000 : (kFullPower ? 300 : 60), 3) == "");
  }
}

TEST_CASE("smooth naive Bayes: almost without noise it is naive Bayes with trimmed means") {
  Options options;
  options.trim_percent = 0;
  for (const auto& method : smooth_methods(options)) {
    CAPTURE(method->name());
    const DirectWorld world(*method, direct_schema(), eps("1000"));
    Random random(4);
    const Dataset data = random_direct_rows(random, world.space, 20'000);
    SeededBits bits(5);
    Kernel kernel(bits);
    const Json learned = Json::parse(train_direct(world, data, kernel));
    const Json plain = Json::parse(train_naive_bayes(world.space, data, {}).value()->parameters());
    for (std::size_t f = 0; f < world.space.features.size(); ++f) {
      const Feature& feature = world.space.features[f];
      if (!feature.is_number() || feature.name == "flag") continue;
      for (std::size_t c = 0; c < 3; ++c) {
        for (const char* what : {"means", "deviations"}) {
          CHECK(std::abs(learned["features"][f][what][c].get<double>() -
                         plain["features"][f][what][c].get<double>()) <
                5e-3 * (feature.high - feature.low));
        }
      }
    }
  }
}

TEST_CASE("smooth naive Bayes: the guarantee, and what is refused before a budget is spent") {
  Options options;
  const auto pure = nb_smooth(options);
  const auto approximate = nb_smooth_delta(options);
  CHECK(pure->guarantee() == Guarantee::kPure);
  CHECK(pure->delta() == Delta());
  CHECK(approximate->guarantee() == Guarantee::kApproximate);
  CHECK(approximate->delta() == options.delta);
  const DirectWorld world(*pure, direct_schema(), eps("1"));
  CHECK(pure->check(world.setting(), eps("0.000001")).error().kind == ErrorKind::kUsage);
  CHECK(approximate->check(world.setting(), eps("0.0001")).error().kind == ErrorKind::kUsage);
  // age, balance and flag are numbers: each needs a unit of 1e-18 for its mean and its deviation.
  for (const std::uint64_t units : {1U, 5U}) {
    options.delta = Delta::from_units(units);
    const Status refused = nb_smooth_delta(options)->check(world.setting(), eps("1"));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::kUsage);
    CHECK(refused.error().message.ends_with("the least is 6e-18"));
  }
  options.delta = Delta::from_units(6);
  CHECK(nb_smooth_delta(options)->check(world.setting(), eps("1")).ok());
  options.trim_percent = 50;
  CHECK(nb_smooth(options)->check(world.setting(), eps("1")).error().kind == ErrorKind::kUsage);

  Schema categories = direct_schema();
  for (Attribute& attribute : categories.attributes) attribute.used = attribute.name == "ward";
  const auto space = make_feature_space(categories, plain_views(categories)).value();
  CHECK(pure->check({categories, space}, eps("1")).ok());
  CHECK(approximate->check({categories, space}, eps("1")).error().kind == ErrorKind::kUsage);
}

TEST_CASE("smooth naive Bayes: an empty table gives a model") {
  for (const auto& method : smooth_methods({})) {
    const DirectWorld world(*method, direct_schema(), eps("0.1"));
    SeededBits bits(6);
    Kernel kernel(bits);
    for (int round = 0; round < 50; ++round) {
      const Json learned =
          Json::parse(train_direct(world, rows_without_values(world.space, {}), kernel));
      for (const auto& prior : learned["log_priors"]) CHECK(std::isfinite(prior.get<double>()));
    }
  }
}

TEST_CASE("smooth naive Bayes: audited, no more than epsilon (2e-6), and not blind") {
  // Where one step gets all, the kernel's own audit is sharp; here mean and deviation share.
  Options for_number;
  for_number.shares.numbers = 1'000;
  for (const auto& method : smooth_methods(for_number)) {
    CAPTURE(method->name());
    const DirectWorld world(*method, one_number(), eps("4"));
    const Dataset none = rows_without_values(world.space, {});
    Dataset one = rows_without_values(world.space, {0});
    one.rows.columns[0].numbers[0] = 10;
    const double found = audited_epsilon(world, none, one, one, draws(20'000), 7);
    CHECK(found <= 4);
    if (kFullPower) CHECK(found > 0.05);
  }
}

TEST_CASE("smooth naive Bayes: a mean alone shows no more than its own part of epsilon (4e-6)") {
  // Of epsilon 12, the counts have 10, so that lists of ten values are lists of ten values; the
  // mean has 1, the deviation as much. A quarter of the mean's noise is found out.
  Options options;
  options.trim_percent = 0;
  options.shares.classes = 10;
  options.shares.numbers = 2;
  const auto method = nb_smooth(options);
  const DirectWorld world(*method, one_number(), eps("12"));
  Dataset nine = rows_without_values(world.space, std::vector<std::uint8_t>(9, 0));
  std::fill(nine.rows.columns[0].numbers.begin(), nine.rows.columns[0].numbers.end(), 5);
  Dataset far = rows_without_values(world.space, {0});
  far.rows.columns[0].numbers[0] = 10;
  // Where an attribute is drowned in noise both classes have the middle as their mean; whether it
  // is, is nearly always a matter of the deviation, whose noise is independent.
  const auto mean = [](const Model& model) {
    const Json means = Json::parse(model.parameters())["features"][0]["means"];
    return means[0] == means[1] ? HUGE_VAL : means[0].get<double>();
  };
  const auto means_of = [&](const Dataset& data, std::uint64_t seed) {
    std::vector<double> means = seen_in_models(world, data, draws(20'000), seed, mean);
    std::erase(means, HUGE_VAL);
    return means;
  };
  const double found = audited_from_values(means_of(nine, 8), means_of(with_row(nine, far, 3), 9));
  CHECK(found <= 1);
  if (kFullPower) CHECK(found > 0.2);
}
