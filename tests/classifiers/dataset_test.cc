#include "privpfc/classifiers/dataset.h"

#include "classifiers/generated.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

bool same(const Dataset& a, const Dataset& b) {
  if (a.count() != b.count() || a.labels != b.labels || a.weights != b.weights) return false;
  for (std::size_t c = 0; c < a.rows.columns.size(); ++c) {
    if (a.rows.columns[c].codes != b.rows.columns[c].codes) return false;
    for (std::size_t i = 0; i < a.rows.columns[c].numbers.size(); ++i) {
      const double x = a.rows.columns[c].numbers[i];
      const double y = b.rows.columns[c].numbers[i];
      if (!(x == y || (std::isnan(x) && std::isnan(y)))) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("copies and weights merge to the same points, in whatever order rows come") {
  const Dataset data = generated_data(3, 2000, 1);
  const Dataset merged = merge_equal_rows(data);
  CHECK(merged.count() < 1500);
  CHECK(same(merged, merge_equal_rows(copies_of(data))));
  CHECK(same(merged, merge_equal_rows(merged)));
}

TEST_CASE("merging keeps the total weight, and rows that differ in the label only apart") {
  Dataset data;
  data.rows.count = 5;
  data.rows.columns.resize(2);
  data.rows.columns[0].numbers = {1, 1, 1, 0.0, -0.0};
  data.rows.columns[1].codes = {2, 2, 2, kMissingCode, kMissingCode};
  data.labels = {0, 1, 0, 1, 1};
  data.weights = {1, 2, 3, 0.5, 0};
  const Dataset merged = merge_equal_rows(data);
  REQUIRE(merged.count() == 3);
  CHECK(merged.rows.columns[0].numbers == std::vector<double>{0, 1, 1});
  CHECK(merged.labels == std::vector<std::uint8_t>{1, 0, 1});
  CHECK(merged.weights == std::vector<double>{0.5, 4, 2});
}

TEST_CASE("data that does not fit its space is refused by name of the feature, not by value") {
  const FeatureSpace space = generated_space(2);
  const Dataset good = generated_data(2, 50, 2);
  CHECK(check_dataset(good, space).ok());
  Dataset bad = good;
  bad.rows.columns[1].numbers[7] = 9.5;
  Status status = check_dataset(bad, space);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().kind == ErrorKind::kData);
  CHECK(status.error().message == "feature 'n' has a number outside its bounds");
  bad = good;
  bad.rows.columns[2].codes[0] = 5;
  CHECK_FALSE(check_dataset(bad, space).ok());
  bad = good;
  bad.labels[0] = 2;
  CHECK_FALSE(check_dataset(bad, space).ok());
  bad = good;
  bad.weights[0] = -1;
  CHECK_FALSE(check_dataset(bad, space).ok());
  bad.weights[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(check_dataset(bad, space).ok());
}

TEST_CASE("a feature space follows the schema: bounds, categories, and no category for missing") {
  const FeatureSpace space = generated_space(3);
  REQUIRE(space.features.size() == 4);
  CHECK(space.features[0].is_number());
  CHECK(space.features[0].low == -4);
  CHECK(space.features[0].high == 4);
  CHECK(space.features[1].high == 9);
  CHECK(space.features[2].categories == std::vector<std::string>{"p", "q", "r", "s", "t"});
  CHECK(space.features[2].category_of_leaf.back() == kMissingCode);
  CHECK_FALSE(space.features[2].ordered);
  CHECK(space.features[3].ordered);
}

TEST_CASE("an attribute can be seen at a coarser level, and a number by its bins") {
  const Schema schema = generated_schema(2);
  const std::vector<AttributeView> views = {{AttributeIndex(2U), false, LevelIndex(1U)},
                                            {AttributeIndex(0U), false, LevelIndex(1U)}};
  const auto space = make_feature_space(schema, views);
  REQUIRE(space.ok());
  CHECK(space->features[0].categories == std::vector<std::string>{"P", "R"});
  CHECK(space->features[0].category_of_leaf ==
        std::vector<std::uint16_t>{0, 0, 1, 1, 1, kMissingCode});
  CHECK(space->features[1].categories.size() == 4);
  CHECK(space->features[1].ordered);
  const std::vector<AttributeView> wrong = {{AttributeIndex(2U), true, LevelIndex(1U)}};
  CHECK_FALSE(make_feature_space(schema, wrong).ok());
  const std::vector<AttributeView> deep = {{AttributeIndex(2U), false, LevelIndex(7U)}};
  CHECK_FALSE(make_feature_space(schema, deep).ok());
  const std::vector<AttributeView> twice = {views[0], views[0]};
  CHECK_FALSE(make_feature_space(schema, twice).ok());
}
