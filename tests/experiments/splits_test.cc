#include "privpfc/experiments/splits.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace privpfc;

TEST_CASE("every row is tested once, and every class is spread evenly") {
  std::mt19937_64 random(1);
  for (const std::size_t folds : {2u, 3u, 10u}) {
    std::vector<std::uint8_t> labels;
    for (int i = 0; i < 997; ++i) labels.push_back(random() % 10 == 0 ? 2 : random() % 2);
    const std::vector<Split> splits = stratified_splits(labels, folds, 4);
    REQUIRE(splits.size() == folds);
    std::multiset<std::uint32_t> tested;
    for (const Split& split : splits) {
      CHECK(split.train.size() + split.test.size() == labels.size());
      tested.insert(split.test.begin(), split.test.end());
      CHECK(split.test.size() >= labels.size() / folds);
      CHECK(split.test.size() <= labels.size() / folds + 1);
      for (std::uint8_t label = 0; label < 3; ++label) {
        const auto in = [&](const std::vector<std::uint32_t>& rows) {
          std::size_t count = 0;
          for (const std::uint32_t row : rows) count += labels[row] == label ? 1 : 0;
          return count;
        };
        const std::size_t all = in(split.test) + in(split.train);
        CHECK(in(split.test) >= all / folds);
        CHECK(in(split.test) <= all / folds + 1);
      }
    }
    CHECK(tested.size() == labels.size());
    CHECK(std::set<std::uint32_t>(tested.begin(), tested.end()).size() == labels.size());
    CHECK(stratified_splits(labels, folds, 4)[0].test == splits[0].test);
    CHECK(stratified_splits(labels, folds, 5)[0].test != splits[0].test);
  }
}

TEST_CASE("splits by a column of folds") {
  const std::vector<Split> splits = splits_by_fold(std::vector<std::uint32_t>{1, 0, 1, 2});
  REQUIRE(splits.size() == 3);
  CHECK(splits[1].test == std::vector<std::uint32_t>{0, 2});
  CHECK(splits[1].train == std::vector<std::uint32_t>{1, 3});
}
