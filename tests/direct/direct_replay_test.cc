#include "support/direct_replay.h"

#include <doctest/doctest.h>

#include "direct/direct_schema.h"
#include "privpfc/classifiers/majority.h"

using namespace privpfc;

// The helper itself, on methods that are right and on methods with one mistake each.

namespace {

using Counts = std::vector<std::int64_t>;

enum class Mistake { kNone, kTooSmallASensitivity, kOrderOfRows, kHalfTheBudget };

// Counts the classes of the ten rows with the lowest coins.
Counts classes_of_lowest(const Dataset& data, const std::vector<std::uint64_t>& coins,
                         const std::size_t& classes, const Mistake& mistake) {
  std::vector<std::size_t> order(data.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (mistake != Mistake::kOrderOfRows) {
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return coins[a] < coins[b]; });
  }
  order.resize(std::min<std::size_t>(order.size(), 10));
  Counts counts(classes);
  for (const std::size_t row : order) ++counts[data.labels[row]];
  return counts;
}

class SampledMajority final : public DirectMethod {
 public:
  explicit SampledMajority(Mistake mistake) : mistake_(mistake) {}
  std::string_view name() const override { return "sampled-majority"; }
  std::string_view summary() const override { return "for the tests of the tests"; }
  std::string_view source() const override { return "none"; }
  ModelKind model() const override { return ModelKind::kMajority; }
  std::vector<AttributeView> views(const Schema& schema, Epsilon) const override {
    return plain_views(schema);
  }
  Status check(const DirectSetting&, Epsilon) const override { return {}; }

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const std::size_t classes = setting.space.class_count();
    const auto count = transform([](const Dataset& data) { return data.count(); }, rows);
    const auto coins = mechanisms.draw_coins(count);
    const auto counts = transform(classes_of_lowest, rows, coins, classes, mistake_);
    // The new row comes in and pushes another one out: two counts change.
    const L1Sensitivity sensitivity(mistake_ == Mistake::kTooSmallASensitivity ? 1 : 2);
    if (mistake_ == Mistake::kHalfTheBudget) {
      budget.take(Epsilon::from_units(budget.epsilon().units() / 2));
    }
    const auto noisy = mechanisms.noisy_counts(counts, classes, sensitivity, std::move(budget));
    return post_process(
        [](const Counts& seen, const FeatureSpace& space) {
          Dataset data;
          data.rows = empty_rows(space);
          data.rows.count = seen.size();
          for (std::size_t c = 0; c < seen.size(); ++c) {
            data.labels.push_back(static_cast<std::uint8_t>(c));
            data.weights.push_back(static_cast<double>(std::max<std::int64_t>(seen[c], 1)));
          }
          return train_majority(space, data).value();
        },
        noisy, as_public(setting.space));
  }

 private:
  Mistake mistake_;
};

std::string neighbours(Mistake mistake) {
  const SampledMajority method(mistake);
  return replay_random_neighbours(DirectWorld(method, direct_schema(), eps("1")), 200, 40, 1);
}

std::string permutations(Mistake mistake) {
  const SampledMajority method(mistake);
  const DirectWorld world(method, direct_schema(), eps("1"));
  Random random(1);
  return replay_permutations(world, random_direct_rows(random, world.space, 50), 50, 1);
}

}  // namespace

TEST_CASE("a sound method passes the replay") {
  CHECK(neighbours(Mistake::kNone) == "");
  CHECK(permutations(Mistake::kNone) == "");
}

TEST_CASE("mutants of a direct method are caught by the replay") {
  CHECK(neighbours(Mistake::kTooSmallASensitivity) == "counts within their sensitivity");
  CHECK(neighbours(Mistake::kHalfTheBudget) == "the calls cost the budget exactly");
  CHECK(permutations(Mistake::kOrderOfRows) == "the same inputs");
}
