#include "privpfc/direct/tree_methods.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "direct/direct_schema.h"
#include "privpfc/direct/tree_method.h"
#include "privpfc/privacy/kernel.h"
#include "support/direct_audit.h"
#include "support/effort.h"

using namespace privpfc;

namespace {

using Make = std::unique_ptr<DirectMethod> (*)(const TreeDirectOptions&);

constexpr Make kMethods[] = {make_tree_cart,
                             make_tree_sulq_id3,
                             make_tree_friedman_schuster,
                             make_tree_mohammed,
                             make_forest_patil_singh,
                             make_forest_random,
                             make_forest_fletcher_islam_2015a,
                             make_forest_fletcher_islam_2015b,
                             make_forest_fletcher_islam_2016};

// So that random tables of a few rows grow trees, and replays stay quick.
TreeDirectOptions small(std::size_t depth, std::size_t trees) {
  TreeDirectOptions options;
  options.depth = depth;
  options.trees = trees;
  return options;
}

}  // namespace

TEST_CASE("trees: a row more or less changes what the mechanisms are asked as declared") {
  for (const Make make : kMethods) {
    const auto method = make(small(4, 3));
    CAPTURE(method->name());
    const DirectWorld world(*method, direct_schema(), eps("2"));
    CHECK(replay_random_neighbours(world, thorough() ? 2'000 : (kFullPower ? 300 : 60), 40, 1) ==
          "");
    const auto own_rules = make({});
    const DirectWorld own(*own_rules, direct_schema(), eps("0.5"));
    CHECK(replay_random_neighbours(own, 20, 400, 2) == "");
  }
}

TEST_CASE("trees: every score, with the greatest depth that is paid for") {
  for (const SplitScore score : {SplitScore::kErrors, SplitScore::kGini, SplitScore::kEntropy}) {
    TreeDirectOptions options = small(6, 2);
    options.score = score;
    for (const Make make : {make_tree_friedman_schuster, make_tree_mohammed,
                            make_forest_patil_singh, make_forest_fletcher_islam_2015a}) {
      const auto method = make(options);
      CAPTURE(method->name());
      const DirectWorld world(*method, direct_schema(), eps("9"));
      CHECK(replay_random_neighbours(world, kFullPower ? 60 : 15, 60, 3) == "");
    }
  }
}

TEST_CASE("trees: the order of the rows and the number of threads change nothing") {
  for (const Make make : kMethods) {
    const auto method = make(small(3, 2));
    CAPTURE(method->name());
    const DirectWorld world(*method, direct_schema(), eps("1"));
    Random random(4);
    const Dataset data = random_direct_rows(random, world.space, 80);
    CHECK(replay_permutations(world, data, thorough() ? 1'000 : (kFullPower ? 200 : 40), 5) == "");
    SeededBits first(6);
    SeededBits second(6);
    RecordingMechanisms one(first);
    RecordingMechanisms other(second);
    CHECK(train_direct(world, data, one, 1) == train_direct(world, data, other, 3));
  }
}

TEST_CASE("trees: the least epsilon, no rows, no features, all rows alike") {
  Schema bare = direct_schema();
  for (Attribute& attribute : bare.attributes) attribute.used = false;
  for (const Make make : kMethods) {
    const auto method = make({});
    CAPTURE(method->name());
    for (const Schema& schema : {direct_schema(), bare}) {
      const DirectWorld world(*method, schema, eps("0.0001"));
      Random random(7);
      for (const std::size_t rows : {0U, 1U, 50U}) {
        SeededBits bits(8);
        RecordingMechanisms mechanisms(bits);
        train_direct(world, random_direct_rows(random, world.space, rows), mechanisms);
        CHECK(mechanisms.spent() == eps("0.0001"));
      }
    }
  }
}

TEST_CASE("trees: options out of bounds and a hopeless epsilon are refused before a budget is") {
  const Schema schema = direct_schema();
  for (const Make make : kMethods) {
    for (const TreeDirectOptions& bad : {small(0, 2), small(17, 2), small(2, 0), small(2, 1'001)}) {
      const auto method = make(bad);
      const FeatureSpace space =
          make_feature_space(schema, method->views(schema, eps("1"))).value();
      CHECK_FALSE(method->check({schema, space}, eps("1")).ok());
    }
    const auto method = make({});
    const FeatureSpace space = make_feature_space(schema, method->views(schema, eps("1"))).value();
    CHECK(method->check({schema, space}, eps("1")).ok());
    CHECK_FALSE(method->check({schema, space}, eps("0.00001")).ok());
  }
}

TEST_CASE("trees: what could become a model that nobody can read is refused before a budget is") {
  const Schema schema = direct_schema();
  for (const Make make : kMethods) {
    const auto plain = make({});
    CAPTURE(plain->name());
    FeatureSpace space = make_feature_space(schema, plain->views(schema, eps("1"))).value();
    for (Feature& feature : space.features) feature.categories.resize(60, "a category");
    const DirectSetting setting{schema, space};
    for (const std::size_t trees : {10U, 100U, 1'000U}) {
      const bool is_forest = plain->model() == ModelKind::kForest;
      const std::size_t most = deepest(setting, is_forest ? trees : 1);
      CHECK(make(small(most, trees))->check(setting, eps("1")).ok());
      CHECK((most < TreeDirectOptions::kMostDepth) == (is_forest && trees > 10));
      if (most == TreeDirectOptions::kMostDepth) continue;
      const Status refused = make(small(most + 1, trees))->check(setting, eps("1"));
      REQUIRE_FALSE(refused.ok());
      CHECK(refused.error().kind == ErrorKind::kLimit);
      CHECK(refused.error().message.ends_with(fmt::format("at most {} deep is possible", most)));
    }
  }
  // So many categories that not even a hundred questions fit.
  const auto method = make_forest_patil_singh(small(1, 1'000));
  FeatureSpace space = make_feature_space(schema, method->views(schema, eps("1"))).value();
  for (Feature& feature : space.features) feature.categories.resize(65'000, "c");
  const Status refused = method->check({schema, space}, eps("1"));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.ends_with("ask for fewer trees"));
}

TEST_CASE("trees: more counts in a level than memory holds are refused before a budget is") {
  const Schema schema = direct_schema();
  for (const Make make : {make_tree_cart, make_tree_sulq_id3}) {
    const auto space_of = [&](std::size_t categories) {
      FeatureSpace space = make_feature_space(schema, make({})->views(schema, eps("1"))).value();
      space.features.resize(1);
      space.features[0].categories.resize(categories, "c");
      return space;
    };
    // Three classes; level d has 2^(d - 1) nodes.
    const FeatureSpace wide = space_of(60'000);
    CHECK(make(small(9, 1))->check({schema, wide}, eps("1")).ok());
    const Status refused = make(small(10, 1))->check({schema, wide}, eps("1"));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::kLimit);
    CHECK(refused.error().message.ends_with("at most 9 deep is possible"));
    CHECK(make({})->check({schema, wide}, eps("1")).ok());
  }
}

TEST_CASE("trees: more questions than permute-and-flip takes are refused before a budget is") {
  if (!kFullPower) return;  // schemas of a million values take long there
  const auto method = make_tree_mohammed({});
  const auto checked = [&](int attributes) {
    std::string text = "name: fine\nlabel: {column: y, classes: [a, b]}\nattributes:\n";
    for (int i = 0; i < attributes; ++i) {
      text += fmt::format(
          "  x{}: {{type: integer, domain: [0, 64997], levels: [64998], missing: []}}\n", i);
    }
    const SchemaReading reading = read_schema_text(text);
    REQUIRE(reading.schema.has_value());
    const Schema& schema = *reading.schema;
    const FeatureSpace space = make_feature_space(schema, method->views(schema, eps("1"))).value();
    return method->check({schema, space}, eps("1"));
  };
  CHECK(checked(16).ok());  // 16 x 64,998 questions
  const Status refused = checked(17);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kLimit);
  CHECK(refused.error().message.find(fmt::format("among {} questions", 17 * 64'998)) !=
        std::string::npos);
}

TEST_CASE("trees: a rule that would grow too deep stops where the model can still be read") {
  if (!kFullPower)
    return;  // under sanitizers it takes long, and they have seen all of it elsewhere
  std::string text =
      "name: wide\nlabel: {column: y, classes: [a, b]}\nattributes:\n  x: {tree: [v0";
  for (int i = 1; i < 60'000; ++i) text += fmt::format(",v{}", i);
  const SchemaReading reading = read_schema_text(text + "], type: categorical}\n");
  REQUIRE(reading.schema.has_value());
  TreeDirectOptions many;
  many.trees = 200;
  const auto method = make_forest_patil_singh(many);
  const DirectWorld world(*method, *reading.schema, eps("1"));
  constexpr std::size_t kLeastByRule = 3;
  const std::size_t most = deepest(world.setting(), *many.trees);
  REQUIRE(most < kLeastByRule);
  Random random(5);
  SeededBits bits(8);
  Kernel kernel(bits);
  const Dataset rows = random_direct_rows(random, world.space, 20);
  const auto learned = nlohmann::json::parse(train_direct(world, rows, kernel));
  REQUIRE(learned["trees"].size() == *many.trees);
  for (const auto& tree : learned["trees"]) {
    CHECK(tree["nodes"].size() < std::size_t{2} << most);
  }
}

TEST_CASE("trees: with plenty of epsilon they learn what is there") {
  const SchemaReading reading = read_schema_text(R"(
name: plain
label: {column: y, classes: [a, b, c]}
attributes:
  x: {type: integer, domain: [0, 99], levels: [4]}
  k: {type: categorical, tree: [u, v]}
)");
  REQUIRE(reading.schema.has_value());
  for (const Make make : kMethods) {
    const auto method = make({});
    CAPTURE(method->name());
    const DirectWorld world(*method, *reading.schema, eps("20"));
    Random random(9);
    Dataset data = random_direct_rows(random, world.space, 4'000);
    const bool numbers = world.space.features[0].is_number();
    for (std::size_t i = 0; i < data.count(); ++i) {
      const FeatureColumn& x = data.rows.columns[0];
      const bool high =
          numbers ? x.numbers[i] >= 50 : x.codes[i] != kMissingCode && x.codes[i] * 2 >= 4;
      data.labels[i] = high ? 2 : data.rows.columns[1].codes[i] == 0 ? 1 : 0;
    }
    SeededBits bits(10);
    Kernel kernel(bits);
    const auto model = method->train(Private<Dataset>(data), world.setting(), kernel,
                                     TestBudget::of(world.epsilon));
    const Predictions said = predict_rows(*model.value(), data.rows, 3, 1);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < data.count(); ++i) wrong += said.labels[i] != data.labels[i];
    CHECK(static_cast<double>(wrong) < 0.25 * static_cast<double>(data.count()));
  }
}

TEST_CASE("trees: audited on tiny tables, no more than epsilon; random forests nearly as much") {
  const SchemaReading reading = read_schema_text(R"(
name: tiny
label: {column: y, classes: [a, b]}
attributes:
  x: {type: integer, domain: [0, 10], levels: [2], missing: [""]}
  k: {type: categorical, tree: [u, v]}
)");
  REQUIRE(reading.schema.has_value());
  const std::size_t runs = draws(40'000);
  for (const Make make : kMethods) {
    const auto method = make(small(1, 1));
    CAPTURE(method->name());
    const DirectWorld world(*method, *reading.schema, eps("1"));
    Random random(11);
    const Dataset none = random_direct_rows(random, world.space, 0);
    Dataset one = random_direct_rows(random, world.space, 1);
    one.labels[0] = 0;
    // Nothing against one row, and five rows of the other class against one more.
    const double found = audited_epsilon(world, none, one, one, runs, 12);
    CHECK(found <= 1);
    const bool all_in_leaves =
        method->name() == "forest-random" || method->name() == "forest-fletcher-islam-2015b";
    if (kFullPower && all_in_leaves) CHECK(found >= 0.7);
    Dataset others = random_direct_rows(random, world.space, 5);
    others.labels.assign(5, 1);
    CHECK(audited_epsilon(world, others, with_row(others, one, 2), one, runs, 13) <= 1);
  }
}

TEST_CASE("trees: audited without attributes, all is in the leaf: epsilon and hardly less (2e-6)") {
  // Half the noise in a count, or in a majority, is found out: see the lower bounds.
  Schema bare = *read_schema_text(R"(
name: bare
label: {column: y, classes: [a, b]}
attributes:
  k: {type: categorical, other: u, tree: [u, v]}
)")
                     .schema;
  bare.attributes[0].used = false;
  for (const Make make : kMethods) {
    const auto method = make(small(1, 1));
    CAPTURE(method->name());
    const DirectWorld world(*method, bare, eps("1"));
    const Dataset none = rows_without_values(world.space, {});
    const Dataset one = rows_without_values(world.space, {0});
    const double found = audited_epsilon(world, none, one, one, draws(20'000), 14);
    CHECK(found <= 1);
    if (kFullPower) CHECK(found >= 0.7);
  }
}

TEST_CASE("trees: audited by what the root asks: no more than epsilon, not much less (4e-6)") {
  const SchemaReading reading = read_schema_text(R"(
name: two
label: {column: y, classes: [a, b]}
attributes:
  x: {type: integer, domain: [0, 10], levels: [2], other: 0}
  k: {type: categorical, other: u, tree: [u, v]}
)");
  REQUIRE(reading.schema.has_value());
  TreeDirectOptions options = small(1, 1);
  options.score = SplitScore::kErrors;
  options.prune = false;
  for (const Make make : {make_tree_friedman_schuster, make_forest_fletcher_islam_2015a}) {
    const auto method = make(options);
    CAPTURE(method->name());
    const DirectWorld world(*method, *reading.schema, eps("3"));
    const auto rows = [&](const std::vector<std::uint8_t>& labels, const std::vector<double>& x,
                          const std::vector<std::uint16_t>& k) {
      Dataset data = rows_without_values(world.space, labels);
      data.rows.columns[0].numbers = x;
      data.rows.columns[1].codes = k;
      return data;
    };
    // Both attributes tell the label; one more row says that x errs.
    const Dataset even = rows({0, 0, 0, 1, 1, 1}, {0, 0, 0, 10, 10, 10}, {0, 0, 0, 1, 1, 1});
    const Dataset more = with_row(even, rows({0}, {10}, {0}), 0);
    // A tree that asks about x says the same of rows that differ in k alone.
    const Dataset probe = rows({0, 0}, {0, 0}, {0, 1});
    const auto asks_about_k = [&](const Model& model) {
      return odds_in(model, probe, 0, 2) == odds_in(model, probe, 1, 2) ? 0.0 : 1.0;
    };
    const std::size_t runs = draws(20'000);
    const double found = audited_from_values(seen_in_models(world, even, runs, 15, asks_about_k),
                                             seen_in_models(world, more, runs, 16, asks_about_k));
    CHECK(found <= 3);
    if (kFullPower) CHECK(found > 1.2);  // three quarters of epsilon, or a little more, choose
  }
}
