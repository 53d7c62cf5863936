#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "privpfc/direct/method.h"
#include "privpfc/privacy/uint128.h"
#include "support/random_tables.h"
#include "support/recording_mechanisms.h"
#include "support/seeded_bits.h"
#include "support/test_budget.h"

namespace privpfc {

// Record and replay of a direct method: trained on a table, every mechanism call is written down;
// trained on a neighbour with the same answers, nothing may differ but the calls' inputs, and these
// by no more than was declared.

// What can be said about any method: schema, the space that it asks for, epsilon.
struct DirectWorld {
  DirectWorld(const DirectMethod& its_method, Schema its_schema, Epsilon its_epsilon)
      : method(its_method), schema(std::move(its_schema)), epsilon(its_epsilon) {
    const std::vector<AttributeView> views = method.views(schema, epsilon);
    space = make_feature_space(schema, views).value();
    const Status status = method.check(setting(), epsilon);
    require(status.ok(), "a direct method refuses the test's setting");
  }

  DirectSetting setting() const { return {schema, space}; }

  const DirectMethod& method;
  Schema schema;
  Epsilon epsilon;
  FeatureSpace space;
};

// A row of a feature space. Values of all kinds, the ends of domains and missing ones among them.
inline Dataset random_direct_rows(Random& random, const FeatureSpace& space, std::size_t count) {
  Dataset data;
  data.rows = empty_rows(space);
  data.rows.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    data.labels.push_back(static_cast<std::uint8_t>(below(random, space.class_count())));
    data.weights.push_back(1);
  }
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    const Feature& feature = space.features[f];
    FeatureColumn& column = data.rows.columns[f];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t kind = below(random, 12);
      if (feature.is_number()) {
        const double at = kind < 2 ? static_cast<double>(kind)
                                   : static_cast<double>(below(random, 1'000'001)) / 1'000'000;
        column.numbers.push_back(kind == 2 ? std::numeric_limits<double>::quiet_NaN()
                                           : feature.low + at * (feature.high - feature.low));
      } else {
        const std::size_t code = below(random, feature.categories.size());
        column.codes.push_back(kind == 2 ? kMissingCode : static_cast<std::uint16_t>(code));
      }
    }
  }
  return data;
}

// `data` with the (only) row of `row` before position `at`, and where its rows come from.
inline Dataset with_row(const Dataset& data, const Dataset& row, std::size_t at) {
  Dataset both = data;
  const auto place = static_cast<std::ptrdiff_t>(at);
  for (std::size_t f = 0; f < both.rows.columns.size(); ++f) {
    FeatureColumn& column = both.rows.columns[f];
    const FeatureColumn& extra = row.rows.columns[f];
    if (!extra.numbers.empty()) {
      column.numbers.insert(column.numbers.begin() + place, extra.numbers[0]);
    }
    if (!extra.codes.empty()) column.codes.insert(column.codes.begin() + place, extra.codes[0]);
  }
  both.labels.insert(both.labels.begin() + place, row.labels[0]);
  both.weights.insert(both.weights.begin() + place, row.weights[0]);
  ++both.rows.count;
  return both;
}

// The model's text: what is released.
inline std::string train_direct(const DirectWorld& world, const Dataset& data,
                                Mechanisms& mechanisms, unsigned threads = 1) {
  const Private<Dataset> rows(data);
  DirectSetting setting = world.setting();
  setting.threads = threads;
  const Released<std::unique_ptr<Model>> model = world.method.train(
      rows, setting, mechanisms, TestBudget::of(world.epsilon, world.method.delta()));
  require(model.value()->kind() == world.method.model(), "a method names the kind it makes");
  return model.value()->parameters();
}

// One value at most has changed, within its bound on both sides, and the bound is smooth.
inline std::string smooth_broken_rule(const RecordedCall& one, const RecordedCall& other) {
  if (one.delta != other.delta) return "the same deltas";
  if (one.smoothness.beta != other.smoothness.beta) return "the same declarations";
  const long double growth =
      std::exp(static_cast<long double>(one.smoothness.beta.units()) / Epsilon::kUnitsPerOne);
  std::size_t changed = 0;
  for (std::size_t k = 0; k < one.smooth.size(); ++k) {
    const SmoothValue& a = one.smooth[k];
    const SmoothValue& b = other.smooth[k];
    if (a == b) continue;
    ++changed;
    const std::int64_t change = a.value < b.value ? b.value - a.value : a.value - b.value;
    if (static_cast<std::uint64_t>(change) > std::min(a.bound, b.bound)) {
      return "values within their bounds";
    }
    if (static_cast<long double>(std::max(a.bound, b.bound)) >
        growth * static_cast<long double>(std::min(a.bound, b.bound))) {
      return "smooth bounds";
    }
  }
  return changed <= 1 ? "" : "one value at most";
}

// Where several parts are selected in, a row is in one of them at most.
inline std::string broken_in_parts(const RecordedCall& one, const RecordedCall& other) {
  if (one.parts.size() != other.parts.size()) return "the same parts";
  std::size_t changed = 0;
  for (std::size_t p = 0; p < one.parts.size(); ++p) {
    // Two lists of runs over the same candidates, side by side.
    const std::vector<ScoreRun>& a = one.parts[p];
    const std::vector<ScoreRun>& b = other.parts[p];
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    std::size_t i = 0;
    std::size_t j = 0;
    std::uint64_t left_a = 0;
    std::uint64_t left_b = 0;
    for (;;) {
      while (left_a == 0 && i < a.size()) left_a = a[i++].length;
      while (left_b == 0 && j < b.size()) left_b = b[j++].length;
      if (left_a == 0 || left_b == 0) break;
      least = std::min(least, b[j - 1].score - a[i - 1].score);
      most = std::max(most, b[j - 1].score - a[i - 1].score);
      const std::uint64_t step = std::min(left_a, left_b);
      left_a -= step;
      left_b -= step;
    }
    if (left_a != left_b || i != a.size() || j != b.size()) return "the same candidates";
    changed += least != 0 || most != 0 ? 1 : 0;
    if (static_cast<std::uint64_t>(most - least) > one.sensitivity) {
      return "scores within their range";
    }
  }
  return changed <= 1 ? "" : "a row in one part";
}

// Names the first thing that a row more or less changed and should not have; nothing if all is as
// it must be.
inline std::string direct_broken_rule(const std::vector<RecordedCall>& before,
                                      const std::vector<RecordedCall>& after) {
  using Kind = RecordedCall::Kind;
  if (before.size() != after.size()) return "the same calls";
  for (std::size_t i = 0; i < before.size(); ++i) {
    const RecordedCall& one = before[i];
    const RecordedCall& other = after[i];
    if (one.kind != other.kind || one.better != other.better || one.rule != other.rule) {
      return "the same calls";
    }
    if (one.kind == Kind::kCoins) continue;
    if (one.input.size() != other.input.size()) return "the same cells and candidates";
    if (one.sensitivity != other.sensitivity) return "the same declarations";
    if (one.epsilon != other.epsilon) return "the same epsilons";
    if (one.kind == Kind::kSmooth) {
      const std::string broken = smooth_broken_rule(one, other);
      if (!broken.empty()) return broken;
    }
    if (one.kind == Kind::kCounts) {
      Uint128 distance = 0;
      for (std::size_t k = 0; k < one.input.size(); ++k) {
        const Int128 change = static_cast<Int128>(other.input[k]) - one.input[k];
        distance += static_cast<Uint128>(change < 0 ? -change : change);
      }
      if (distance > one.sensitivity) return "counts within their sensitivity";
    }
    if (one.kind == Kind::kChoices) {
      const std::string broken = broken_in_parts(one, other);
      if (!broken.empty()) return broken;
    }
    if (one.kind == Kind::kChoice && !one.input.empty()) {
      // Selection is blind to a common shift: what counts is how far apart the changes are.
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      std::int64_t most = std::numeric_limits<std::int64_t>::min();
      for (std::size_t k = 0; k < one.input.size(); ++k) {
        least = std::min(least, other.input[k] - one.input[k]);
        most = std::max(most, other.input[k] - one.input[k]);
      }
      if (static_cast<std::uint64_t>(most - least) > one.sensitivity) {
        return "scores within their range";
      }
    }
  }
  return "";
}

// Records on `data`, replays on `data` with one row more before position `at` (and, with
// `starts_with_more`, the other way round). Returns the broken rule.
inline std::string replay_with_row(const DirectWorld& world, const Dataset& data,
                                   const Dataset& row, std::size_t at, bool starts_with_more,
                                   std::uint64_t seed) {
  const Dataset more = with_row(data, row, at);
  std::vector<std::size_t> origins;  // of the rows of the second table, in the first
  for (std::size_t i = 0; i < more.count(); ++i) {
    if (starts_with_more && i != at) origins.push_back(i);
    if (!starts_with_more) {
      origins.push_back(i == at ? RecordingMechanisms::kNewRow : i < at ? i : i - 1);
    }
  }
  SeededBits bits(seed);
  RecordingMechanisms recorder(bits);
  const std::string first = train_direct(world, starts_with_more ? more : data, recorder);
  RecordingMechanisms replay(recorder.calls(), origins);
  const std::string second = train_direct(world, starts_with_more ? data : more, replay);
  if (recorder.spent() != world.epsilon || recorder.spent_delta() != world.method.delta()) {
    return "the calls cost the budget exactly";
  }
  const std::string broken = starts_with_more
                                 ? direct_broken_rule(replay.calls(), recorder.calls())
                                 : direct_broken_rule(recorder.calls(), replay.calls());
  if (!broken.empty()) return broken;
  return first == second ? "" : "the same model from the same answers";
}

// Trains on the rows in other orders, given the same answers: nothing may change at all.
inline std::string replay_permutations(const DirectWorld& world, const Dataset& data,
                                       std::size_t permutations, std::uint64_t seed) {
  SeededBits bits(seed);
  RecordingMechanisms recorder(bits);
  const std::string first = train_direct(world, data, recorder);
  Random random(seed);
  std::vector<std::size_t> order(data.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t round = 0; round < permutations; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    RecordingMechanisms replay(recorder.calls(), order);
    const std::string again = train_direct(world, take_rows(data, order), replay);
    if (replay.calls().size() != recorder.calls().size()) return "the same calls";
    for (std::size_t i = 0; i < replay.calls().size(); ++i) {
      if (replay.calls()[i].input != recorder.calls()[i].input) return "the same inputs";
      if (replay.calls()[i].parts != recorder.calls()[i].parts) return "the same inputs";
    }
    if (again != first) return "the same model";
  }
  return "";
}

// Many random neighbouring tables of up to `most_rows` rows; returns the first broken rule.
inline std::string replay_random_neighbours(const DirectWorld& world, std::size_t rounds,
                                            std::size_t most_rows, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t round = 0; round < rounds; ++round) {
    const Dataset data = random_direct_rows(random, world.space, below(random, most_rows + 1));
    const Dataset row = random_direct_rows(random, world.space, 1);
    const std::string broken = replay_with_row(world, data, row, below(random, data.count() + 1),
                                               below(random, 2) == 0, seed * 1'000'003 + round);
    if (!broken.empty()) return broken;
  }
  return "";
}

}  // namespace privpfc
