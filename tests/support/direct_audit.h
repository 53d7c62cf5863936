#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "privpfc/audit/epsilon_bound.h"
#include "privpfc/privacy/kernel.h"
#include "support/direct_replay.h"

namespace privpfc {

// A black-box attack: a method is trained many times on two neighbouring tables, and all that is
// looked at is what the models say about one row.

// log-odds of the first class against the second, in models trained on `data`.
inline std::vector<double> released_odds(const DirectWorld& world, const Dataset& data,
                                         const Dataset& probe, std::size_t runs,
                                         std::uint64_t seed) {
  SeededBits bits(seed);
  Kernel kernel(bits);
  const Private<Dataset> rows(data);
  std::vector<double> odds;
  for (std::size_t run = 0; run < runs; ++run) {
    const auto model = world.method.train(rows, world.setting(), kernel,
                                          TestBudget::of(world.epsilon, world.method.delta()));
    const Predictions said = predict_rows(*model.value(), probe.rows, world.space.class_count(), 1);
    odds.push_back(std::log(said.row(0)[0]) - std::log(said.row(0)[1]));
  }
  return odds;
}

// A lower bound on the epsilon that the method really has (significance 2e-6): the event, a
// threshold on the odds, is chosen on one half of the runs and counted on the other.
inline double audited_epsilon(const DirectWorld& world, const Dataset& one, const Dataset& other,
                              const Dataset& probe, std::size_t runs, std::uint64_t seed) {
  const std::size_t half = runs / 2;
  struct Event {
    bool swap = false;  // the more likely side is `other`
    bool above = true;
    double threshold = 0;
    double bound = 0;
  } best;
  const auto count = [](const std::vector<double>& odds, const Event& event) {
    return static_cast<std::size_t>(std::count_if(odds.begin(), odds.end(), [&](double value) {
      return event.above ? value >= event.threshold : value <= event.threshold;
    }));
  };
  const auto bound = [&](const std::vector<double>& first, const std::vector<double>& second,
                         const Event& event) {
    constexpr double kSignificance = 1e-6;  // on each side
    return event.swap
               ? epsilon_at_least(count(second, event), count(first, event), half, kSignificance)
               : epsilon_at_least(count(first, event), count(second, event), half, kSignificance);
  };
  {
    const std::vector<double> first = released_odds(world, one, probe, half, seed);
    const std::vector<double> second = released_odds(world, other, probe, half, seed + 1);
    std::vector<double> all = first;
    all.insert(all.end(), second.begin(), second.end());
    std::sort(all.begin(), all.end());
    for (std::size_t at = 0; at < 200; ++at) {
      for (const bool swap : {false, true}) {
        for (const bool above : {false, true}) {
          Event event{swap, above, all[all.size() * at / 200], 0};
          event.bound = bound(first, second, event);
          if (event.bound > best.bound) best = event;
        }
      }
    }
  }
  const std::vector<double> first = released_odds(world, one, probe, half, seed + 2);
  const std::vector<double> second = released_odds(world, other, probe, half, seed + 3);
  return bound(first, second, best);
}

// Rows of the world's space, all values missing: for building tables by hand.
inline Dataset rows_without_values(const FeatureSpace& space,
                                   const std::vector<std::uint8_t>& labels) {
  Dataset data;
  data.rows = empty_rows(space);
  data.rows.count = labels.size();
  data.labels = labels;
  data.weights.assign(labels.size(), 1);
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    FeatureColumn& column = data.rows.columns[f];
    if (space.features[f].is_number()) {
      column.numbers.assign(labels.size(), std::numeric_limits<double>::quiet_NaN());
    } else {
      column.codes.assign(labels.size(), kMissingCode);
    }
  }
  return data;
}

}  // namespace privpfc
