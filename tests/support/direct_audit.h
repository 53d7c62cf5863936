#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "privpfc/audit/epsilon_bound.h"
#include "privpfc/base/contract.h"
#include "privpfc/privacy/kernel.h"
#include "support/direct_replay.h"

namespace privpfc {

// A black-box attack: a method is trained many times on two neighbouring tables, and all that is
// looked at is what the models say about one row.

// What `look` sees in each of `runs` models that are trained on `data`.
template <typename Look>
std::vector<double> seen_in_models(const DirectWorld& world, const Dataset& data, std::size_t runs,
                                   std::uint64_t seed, const Look& look) {
  SeededBits bits(seed);
  Kernel kernel(bits);
  const Private<Dataset> rows(data);
  std::vector<double> seen;
  for (std::size_t run = 0; run < runs; ++run) {
    const auto model = world.method.train(rows, world.setting(), kernel,
                                          TestBudget::of(world.epsilon, world.method.delta()));
    seen.push_back(look(*model.value()));
  }
  return seen;
}

// log-odds of the first class against the second in row i.
inline double odds_in(const Model& model, const Dataset& probe, std::size_t i,
                      std::size_t classes) {
  const Predictions said = predict_rows(model, probe.rows, classes, 1);
  return std::log(said.row(i)[0]) - std::log(said.row(i)[1]);
}

// log-odds of the first row of `probe`, in models trained on `data`.
inline std::vector<double> released_odds(const DirectWorld& world, const Dataset& data,
                                         const Dataset& probe, std::size_t runs,
                                         std::uint64_t seed) {
  return seen_in_models(world, data, runs, seed, [&](const Model& model) {
    return odds_in(model, probe, 0, world.space.class_count());
  });
}

constexpr double kAuditSignificance = 1e-6;  // on each side

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
    return event.swap ? epsilon_at_least(count(second, event), count(first, event), half,
                                         kAuditSignificance)
                      : epsilon_at_least(count(first, event), count(second, event), half,
                                         kAuditSignificance);
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

// A lower bound on the loss between the laws of two lists of values (significance 4e-6): the event,
// an interval between quantiles, is chosen on one half of each list and counted on the other.
inline double audited_from_values(const std::vector<double>& one,
                                  const std::vector<double>& other) {
  require(one.size() == other.size(), "as many values of each");
  constexpr std::size_t kQuantiles = 40;
  const auto half = [](const std::vector<double>& values, bool first) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::vector<double> sorted(first ? values.begin() : middle, first ? middle : values.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  const auto within = [](const std::vector<double>& sorted, double low, double high) {
    return static_cast<std::size_t>(std::upper_bound(sorted.begin(), sorted.end(), high) -
                                    std::lower_bound(sorted.begin(), sorted.end(), low));
  };
  const auto bound = [&](const std::vector<double>& often, const std::vector<double>& seldom,
                         double low, double high) {
    return epsilon_at_least(within(often, low, high), within(seldom, low, high), often.size(),
                            kAuditSignificance);
  };
  double least = 0;
  for (const bool swap : {false, true}) {
    const std::vector<double> often = half(swap ? other : one, true);
    const std::vector<double> seldom = half(swap ? one : other, true);
    double best = 0;
    double low = 0;
    double high = 0;
    for (std::size_t from = 0; from < kQuantiles; ++from) {
      for (std::size_t to = from; to < kQuantiles; ++to) {
        const double begin = often[(often.size() - 1) * from / (kQuantiles - 1)];
        const double end = often[(often.size() - 1) * to / (kQuantiles - 1)];
        const double found = bound(often, seldom, begin, end);
        if (found <= best) continue;
        best = found;
        low = begin;
        high = end;
      }
    }
    if (best > 0) {
      least = std::max(least, bound(half(swap ? other : one, false),
                                    half(swap ? one : other, false), low, high));
    }
  }
  return least;
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
