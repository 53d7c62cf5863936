#include "privpfc/direct/linear.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "classifiers/generated.h"
#include "privpfc/classifiers/model_file.h"
#include "privpfc/direct/linear_points.h"
#include "privpfc/direct/methods.h"
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
  if (a.kind == RecordedCall::Kind::kCounts) return std::abs(a.input[0] - b.input[0]);
  auto rows = rows_by_point(*a.points);
  for (const auto& [point, count] : rows_by_point(*b.points)) rows[point] -= count;
  std::int64_t sum = 0;
  for (const auto& [point, count] : rows) sum += std::abs(count);
  return sum;
}

double error_of(const Model& model, const World& world, const Dataset& data) {
  const Predictions said = predict_rows(model, data.rows, world.space.class_count(), 1);
  double wrong = 0;
  for (std::size_t i = 0; i < data.count(); ++i) wrong += said.labels[i] != data.labels[i] ? 1 : 0;
  return wrong / static_cast<double>(data.count());
}

}  // namespace

TEST_CASE("on a neighbouring table the same is asked, and inputs differ by one row") {
  for (const auto& method : linear_methods({})) {
    for (const std::size_t classes : {2, 4}) {
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
    for (const std::size_t classes : {2, 5}) {
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
  CHECK(refused({}, "0.000001"));
  CHECK_FALSE(refused({}, "0.001"));
}

TEST_CASE("the registry knows the family by name") {
  for (const char* name :
       {"svm-objective", "svm-output", "svm-objective-rff", "logistic-objective"}) {
    CHECK(find_direct_method(name, {}).ok());
  }
}
