#include "privpfc/direct/linear.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "classifiers/generated.h"
#include "privpfc/classifiers/model_file.h"
#include "privpfc/direct/linear_points.h"
#include "privpfc/direct/methods.h"
#include "privpfc/schema/schema_reader.h"
#include "support/direct_audit.h"
#include "support/effort.h"
#include "support/recording_mechanisms.h"
#include "support/seeded_bits.h"
#include "support/test_budget.h"

using namespace privpfc;
using testing::generated_schema;

namespace {

struct World {
  Schema schema;
  std::vector<AttributeView> views;
  FeatureSpace space;
};

World world_of(const DirectMethod& method, std::size_t classes) {
  World world{generated_schema(classes), {}, {}};
  world.views = method.views(world.schema, eps("1"));
  world.space = make_feature_space(world.schema, world.views).value();
  return world;
}

// Rows of weight 1 whose class follows the first attribute, mostly; some values are missing.
Dataset random_rows(const FeatureSpace& space, std::size_t count, std::uint64_t seed) {
  testing::Random random(seed);
  Dataset data;
  data.rows = empty_rows(space);
  data.rows.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t f = 0; f < space.features.size(); ++f) {
      const std::size_t size = space.features[f].categories.size();
      data.rows.columns[f].codes.push_back(
          random.below(20) == 0 ? kMissingCode : static_cast<std::uint16_t>(random.below(size)));
    }
    const std::uint16_t first = data.rows.columns[0].codes[i];
    const std::size_t likely = first == kMissingCode ? 0 : first % space.class_count();
    data.labels.push_back(static_cast<std::uint8_t>(
        random.below(10) == 0 ? random.below(space.class_count()) : likely));
    data.weights.push_back(1);
  }
  return data;
}

Dataset without(const Dataset& data, std::size_t row) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (i != row) kept.push_back(i);
  }
  return take_rows(data, kept);
}

std::string trained(const DirectMethod& method, const World& world, const Dataset& data,
                    Mechanisms& mechanisms, const char* epsilon) {
  const DirectSetting setting{world.schema, world.space, 1};
  REQUIRE(method.check(setting, eps(epsilon)).ok());
  const Private<Dataset> rows(data);
  const auto model = method.train(rows, setting, mechanisms, TestBudget::of(epsilon));
  CHECK(model.value()->kind() == method.model());
  return model.value()->parameters();
}

// By point: how many rows.
std::map<std::vector<double>, std::int64_t> rows_by_point(const LabelledPoints& points) {
  std::map<std::vector<double>, std::int64_t> rows;
  for (std::size_t i = 0; i < points.count(); ++i) {
    std::vector<double> key{static_cast<double>(points.label(i))};
    for (const auto& e : points.entries(i)) {
      key.push_back(e.at);
      key.push_back(static_cast<double>(e.value));
    }
    rows[key] += points.rows(i);
  }
  return rows;
}

std::int64_t distance(const RecordedCall& a, const RecordedCall& b) {
  if (a.kind == RecordedCall::Kind::kCounts) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < a.input.size(); ++k) sum += std::abs(a.input[k] - b.input[k]);
    return sum;
  }
  auto rows = rows_by_point(*a.points);
  for (const auto& [point, count] : rows_by_point(*b.points)) rows[point] -= count;
  std::int64_t sum = 0;
  for (const auto& [point, count] : rows) sum += std::abs(count);
  return sum;
}

// By how much the changes of scores differ.
std::uint64_t range_of_changes(const RecordedCall& a, const RecordedCall& b) {
  std::vector<std::int64_t> changes;
  for (std::size_t k = 0; k < a.input.size(); ++k) changes.push_back(a.input[k] - b.input[k]);
  const auto [least, most] = std::minmax_element(changes.begin(), changes.end());
  return static_cast<std::uint64_t>(*most - *least);
}

double error_of(const Model& model, const World& world, const Dataset& data) {
  const Predictions said = predict_rows(model, data.rows, world.space.class_count(), 1);
  double wrong = 0;
  for (std::size_t i = 0; i < data.count(); ++i) wrong += said.labels[i] != data.labels[i] ? 1 : 0;
  return wrong / static_cast<double>(data.count());
}

}  // namespace

TEST_CASE("on a neighbouring table the same is asked, and inputs differ by one row") {
  LinearDirectOptions two_attributes;
  two_attributes.attributes = 2;
  std::vector<std::unique_ptr<DirectMethod>> methods = linear_methods({});
  for (auto& method : linear_methods(two_attributes)) methods.push_back(std::move(method));
  for (const auto& method : methods) {
    for (const std::size_t classes : {2U, 4U}) {
      CAPTURE(method->name());
      const World world = world_of(*method, classes);
      std::vector<std::size_t> counts{0, 1, 60};
      for (std::size_t i = 0; thorough() && i < 2'000; ++i) counts.push_back(i % 61);
      for (std::size_t pair = 0; pair < counts.size(); ++pair) {
        const std::size_t count = counts[pair];
        const Dataset more = random_rows(world.space, count + 1, 7 + count + 1'000 * (pair / 61));
        const Dataset fewer = without(more, count / 2);
        SeededBits bits(count);
        RecordingMechanisms first(bits);
        const std::string there = trained(*method, world, more, first, "0.7");
        RecordingMechanisms again(first.calls());
        const std::string here = trained(*method, world, fewer, again, "0.7");
        CHECK(here == there);
        CHECK(first.spent() == eps("0.7"));
        REQUIRE(again.calls().size() == first.calls().size());
        for (std::size_t i = 0; i < first.calls().size(); ++i) {
          const RecordedCall& a = first.calls()[i];
          const RecordedCall& b = again.calls()[i];
          CHECK(a.kind == b.kind);
          CHECK(a.epsilon == b.epsilon);
          if (a.kind == RecordedCall::Kind::kChoice) {
            CHECK(a.sensitivity == b.sensitivity);
            CHECK(range_of_changes(a, b) <= a.sensitivity);
            continue;
          }
          CHECK(distance(a, b) == 1);
          if (!a.task) continue;
          CHECK(a.perturb == b.perturb);
          CHECK(a.task->dimension == b.task->dimension);
          CHECK(a.task->reach == b.task->reach);
          CHECK(a.task->lambda == b.task->lambda);
          CHECK(a.task->positive == b.task->positive);
        }
      }
    }
  }
}

TEST_CASE("the order of rows changes nothing") {
  for (const auto& method : linear_methods({})) {
    CAPTURE(method->name());
    const World world = world_of(*method, 3);
    const Dataset data = random_rows(world.space, 50, 5);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < data.count(); ++i) order.push_back(i);
    std::string first;
    testing::Random random(9);
    for (int round = 0; round < (thorough() ? 1'000 : 30); ++round) {
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
      SeededBits bits(4);
      RecordingMechanisms mechanisms(bits);
      const std::string now = trained(*method, world, take_rows(data, order), mechanisms, "2");
      if (round == 0) first = now;
      CHECK(now == first);
    }
  }
}

TEST_CASE("with much epsilon every method learns, for two classes and for more") {
  for (const auto& method : linear_methods({})) {
    for (const std::size_t classes : {2U, 5U}) {
      CAPTURE(method->name());
      const World world = world_of(*method, classes);
      const Dataset train = random_rows(world.space, 6'000, 1);
      const Dataset test = random_rows(world.space, 1'000, 2);
      SeededBits bits(3);
      RecordingMechanisms mechanisms(bits);
      const DirectSetting setting{world.schema, world.space, 1};
      const auto model =
          method->train(Private<Dataset>(train), setting, mechanisms, TestBudget::of("50"));
      CHECK(error_of(*model.value(), world, test) < (classes == 2 ? 0.12 : 0.25));

      // And it can be written, read again, and says the same.
      SavedModel saved{world.schema, world.views, world.space, "test", nullptr};
      SavedModel copy{world.schema, world.views, world.space, "test", nullptr};
      RecordingMechanisms replay(mechanisms.calls());
      saved.model =
          std::move(method->train(Private<Dataset>(train), setting, replay, TestBudget::of("50")))
              .value();
      auto read = read_model(write_model(saved));
      REQUIRE(read.ok());
      const Predictions a = predict_rows(*saved.model, test.rows, classes, 1);
      const Predictions b = predict_rows(*read->model, test.rows, classes, 1);
      CHECK(a.labels == b.labels);
      CHECK(a.probabilities == b.probabilities);
    }
  }
}

TEST_CASE("few rows or a wish: the telling attributes are chosen, the others weigh nothing") {
  LinearDirectOptions options;
  options.attributes = 1;
  for (const auto& method : linear_methods(options)) {
    CAPTURE(method->name());
    const World world = world_of(*method, 2);
    const Dataset train = random_rows(world.space, 6'000, 1);
    SeededBits bits(3);
    RecordingMechanisms mechanisms(bits);
    const auto model = method->train(Private<Dataset>(train), {world.schema, world.space, 1},
                                     mechanisms, TestBudget::of("50"));
    CHECK(error_of(*model.value(), world, train) < 0.12);
    if (method->model() == ModelKind::kFourierSvm) continue;  // has no use for the wish
    Dataset scrambled = train;
    for (std::size_t f = 1; f < world.space.features.size(); ++f) {
      std::reverse(scrambled.rows.columns[f].codes.begin(), scrambled.rows.columns[f].codes.end());
    }
    CHECK(predict_rows(*model.value(), scrambled.rows, 2, 1).probabilities ==
          predict_rows(*model.value(), train.rows, 2, 1).probabilities);
  }
  const auto logistic = std::move(linear_methods({})[3]);
  const World world = world_of(*logistic, 2);
  const auto choices = [&](std::size_t rows) {
    SeededBits bits(4);
    RecordingMechanisms mechanisms(bits);
    trained(*logistic, world, random_rows(world.space, rows, 5), mechanisms, "1");
    return std::count_if(mechanisms.calls().begin(), mechanisms.calls().end(),
                         [](const auto& c) { return c.kind == RecordedCall::Kind::kChoice; });
  };
  CHECK(choices(500) == static_cast<std::ptrdiff_t>((3 * world.space.features.size() + 4) / 5));
  CHECK(choices(5'000) == 0);
}

TEST_CASE("the choice of attributes: one row can change scores by all that is declared, not more") {
  const auto logistic = std::move(linear_methods({})[3]);
  const World world = world_of(*logistic, 2);
  // In the first attribute the value 0 goes with class 1, in the second with class 0.
  Dataset data = random_rows(world.space, 40, 1);
  for (std::size_t i = 0; i < data.count(); ++i) {
    data.labels[i] = static_cast<std::uint8_t>(i % 2);
    for (FeatureColumn& column : data.rows.columns) column.codes[i] = 1;
    data.rows.columns[i % 2 == 1 ? 0 : 1].codes[i] = 0;
  }
  Dataset more = data;
  ++more.rows.count;
  more.labels.push_back(1);
  more.weights.push_back(1);
  for (FeatureColumn& column : more.rows.columns) column.codes.push_back(0);
  SeededBits bits(8);
  RecordingMechanisms first(bits);
  trained(*logistic, world, data, first, "10");
  RecordingMechanisms again(first.calls());
  trained(*logistic, world, more, again, "10");
  REQUIRE(first.calls()[1].kind == RecordedCall::Kind::kChoice);
  const auto range = static_cast<double>(range_of_changes(first.calls()[1], again.calls()[1]));
  CHECK(range <= static_cast<double>(first.calls()[1].sensitivity));
  CHECK(range >= 0.8 * static_cast<double>(first.calls()[1].sensitivity));
}

TEST_CASE("linear methods: audited on tiny tables, no more than epsilon (4e-6), and not blind") {
  const Schema schema = *read_schema_text(R"(
name: tiny
label: {column: y, classes: [a, b]}
attributes:
  k: {type: categorical, other: u, tree: [u, v]}
)")
                             .schema;
  for (const auto& method : linear_methods({})) {
    CAPTURE(method->name());
    const DirectWorld world(*method, schema, eps("2"));
    const Dataset none = rows_without_values(world.space, {});
    Dataset one = rows_without_values(world.space, {1});
    one.rows.columns[0].codes[0] = 0;
    const auto odds = [&](const Dataset& data, std::uint64_t seed) {
      return released_odds(world, data, one, draws(6'000), seed);
    };
    const double found = audited_from_values(odds(none, 6), odds(one, 7));
    CHECK(found <= 2);
    // The hundred noisy entries of random features hide one row well.
    const bool seen = method->model() != ModelKind::kFourierSvm;
    if (kFullPower && seen) CHECK(found > 0.4);
  }
}

TEST_CASE("rows become points of length 1, and a missing value adds nothing") {
  const auto method = std::move(linear_methods({})[0]);
  const World world = world_of(*method, 2);
  const OneHotShape shape(world.space);
  CHECK(shape.reach == 2);
  Dataset data = random_rows(world.space, 1, 1);
  for (FeatureColumn& column : data.rows.columns) column.codes[0] = 1;
  double squares = 0;
  const LabelledPoints whole = one_hot_points(data, world.space);
  for (const auto& e : whole.entries(0)) {
    CHECK(static_cast<double>(e.value) == shape.entry);  // nothing was shortened
    squares += static_cast<double>(e.value) * static_cast<double>(e.value);
  }
  CHECK(squares == doctest::Approx(1).epsilon(1e-4));
  data.rows.columns[2].codes[0] = kMissingCode;
  CHECK(one_hot_points(data, world.space).entries(0).size() == 3);
  data.rows.columns[2].codes[0] = 1;
  // Equal rows are one point.
  const Dataset twice = take_rows(data, {0, 0, 0});
  CHECK(one_hot_points(twice, world.space).count() == 1);
  CHECK(one_hot_points(twice, world.space).rows(0) == 3);
}

TEST_CASE("attributes with very many categories become coarser until all fit") {
  std::string text =
      "name: wide\nlabel: {column: y, classes: [a, b]}\nattributes:\n"
      "  small: {type: boolean}\n"
      "  large: {type: integer, domain: [0, 9999], levels: [5000, 50]}\n";
  SchemaReading reading = read_schema_text(text);
  REQUIRE(reading.schema.has_value());
  const auto views = category_views(*reading.schema);
  REQUIRE(views.size() == 2);
  CHECK(reading.schema->attributes[1].hierarchy.node_count(views[1].level) <= 60);
  CHECK(reading.schema->attributes[1].hierarchy.node_count(views[1].level) >= 50);
  CHECK(reading.schema->attributes[0].hierarchy.node_count(views[0].level) >= 2);
}

TEST_CASE("options out of range are refused before anything is spent") {
  const auto plain = std::move(linear_methods({})[0]);
  const World world = world_of(*plain, 2);
  const DirectSetting setting{world.schema, world.space, 1};
  const auto refused = [&](const LinearDirectOptions& options, const char* epsilon) {
    for (const auto& method : linear_methods(options)) {
      if (method->check(setting, eps(epsilon)).ok()) return false;
    }
    return true;
  };
  LinearDirectOptions options;
  options.huber_width = 0;
  CHECK(refused(options, "1"));
  options = {};
  options.lambda = 0.5;
  CHECK(refused(options, "1"));
  options.lambda = -3;
  CHECK(refused(options, "1"));
  options = {};
  options.regularisation = 2;
  CHECK(refused(options, "1"));
  options = {};
  options.fourier.frequencies = 0;
  CHECK(refused(options, "1"));
  options = {};
  options.fourier.gamma = 1e-10;  // nobody could read the model
  CHECK(refused(options, "1"));
  options.fourier.gamma = 1e-9;
  CHECK_FALSE(refused(options, "1"));
  CHECK(refused({}, "0.000001"));
  CHECK_FALSE(refused({}, "0.001"));
}

TEST_CASE("the registry knows the family by name") {
  for (const char* name :
       {"svm-objective", "svm-output", "svm-objective-rff", "logistic-objective"}) {
    CHECK(find_direct_method(name, {}).ok());
  }
}
