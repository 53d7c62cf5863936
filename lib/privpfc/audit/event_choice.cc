#include "privpfc/audit/event_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace privpfc {
namespace {

constexpr std::size_t kThresholds = 64;  // tried of each statistic
constexpr std::size_t kCombined = 6;     // single conditions that are tried two by two
constexpr double kCaution = 5;           // standard errors taken off

struct Candidate {
  Event event;
  double bound = 0;
};

// About what epsilon_at_least() would say, many times faster.
double rough_bound(double often, double seldom, double often_runs, double seldom_runs) {
  if (often == 0) return 0;
  return std::log(often / (seldom + 1) * (seldom_runs / often_runs)) -
         kCaution * std::sqrt(1 / often + 1 / (seldom + 1));
}

std::vector<double> thresholds_of(const std::vector<double>& sorted) {
  std::vector<double> thresholds;
  for (std::size_t k = 0; k < kThresholds; ++k) {
    thresholds.push_back(sorted[sorted.size() * k / kThresholds]);
  }
  thresholds.push_back(sorted.back());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  return thresholds;
}

struct Tails {
  std::vector<double> values;  // in rising order
  double above(double threshold) const {
    return static_cast<double>(values.end() -
                               std::lower_bound(values.begin(), values.end(), threshold));
  }
  double below(double threshold) const {
    return static_cast<double>(std::upper_bound(values.begin(), values.end(), threshold) -
                               values.begin());
  }
};

// Values of one statistic (or of the evidence) on both sides, and how many runs there were.
struct TwoSamples {
  Tails without;
  Tails with;
  double without_runs = 0;
  double with_runs = 0;

  // The best threshold in one direction, for one of the sides.
  std::pair<double, double> best(Side likelier, bool above) const {  // threshold, bound
    std::vector<double> all;
    std::merge(without.values.begin(), without.values.end(), with.values.begin(), with.values.end(),
               std::back_inserter(all));
    std::pair<double, double> best{0, 0};
    if (all.empty()) return best;
    for (const double threshold : thresholds_of(all)) {
      const double first = above ? without.above(threshold) : without.below(threshold);
      const double second = above ? with.above(threshold) : with.below(threshold);
      const double bound = likelier == Side::kWith
                               ? rough_bound(second, first, with_runs, without_runs)
                               : rough_bound(first, second, without_runs, with_runs);
      if (bound > best.second) best = {threshold, bound};
    }
    return best;
  }
};

void sort_best_first(std::vector<Candidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.bound > b.bound; });
}

// By name, so that the choice does not depend on which thread saw a statistic first.
std::vector<std::uint32_t> in_order(const std::vector<StatisticList::Entry>& statistics) {
  std::vector<std::uint32_t> order(statistics.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return statistics[a].name < statistics[b].name; });
  return order;
}

std::vector<Candidate> single_conditions(const std::vector<Observation>& without,
                                         const std::vector<Observation>& with,
                                         const std::vector<StatisticList::Entry>& statistics) {
  std::vector<TwoSamples> samples(statistics.size());
  for (const Observation& run : without) {
    for (const auto& [s, value] : run.values) samples[s].without.values.push_back(value);
  }
  for (const Observation& run : with) {
    for (const auto& [s, value] : run.values) samples[s].with.values.push_back(value);
  }
  std::vector<Candidate> candidates;
  for (const std::uint32_t s : in_order(statistics)) {
    TwoSamples& sample = samples[s];
    std::sort(sample.without.values.begin(), sample.without.values.end());
    std::sort(sample.with.values.begin(), sample.with.values.end());
    sample.without_runs = static_cast<double>(without.size());
    sample.with_runs = static_cast<double>(with.size());
    for (const Side likelier : {Side::kWithout, Side::kWith}) {
      for (const bool above : {false, true}) {
        const auto [threshold, bound] = sample.best(likelier, above);
        if (bound > 0) {
          candidates.push_back({Event{likelier, {{s, above, threshold}}, nullptr, 0}, bound});
        }
      }
    }
  }
  sort_best_first(candidates);
  return candidates;
}

std::vector<Candidate> double_conditions(const std::vector<Candidate>& singles,
                                         const std::vector<Observation>& without,
                                         const std::vector<Observation>& with) {
  const auto hits = [](const Event& event, const std::vector<Observation>& runs) {
    return static_cast<double>(std::count_if(
        runs.begin(), runs.end(), [&](const Observation& run) { return event.happens(run); }));
  };
  std::vector<Candidate> candidates;
  for (const Side likelier : {Side::kWithout, Side::kWith}) {
    std::vector<Condition> best;
    for (const Candidate& single : singles) {
      if (single.event.likelier == likelier && best.size() < kCombined) {
        best.push_back(single.event.conditions[0]);
      }
    }
    for (std::size_t i = 0; i < best.size(); ++i) {
      for (std::size_t j = i + 1; j < best.size(); ++j) {
        if (best[i].statistic == best[j].statistic) continue;
        Event event{likelier, {best[i], best[j]}, nullptr, 0};
        const double first = hits(event, without);
        const double second = hits(event, with);
        const auto runs_without = static_cast<double>(without.size());
        const auto runs_with = static_cast<double>(with.size());
        const double bound = likelier == Side::kWith
                                 ? rough_bound(second, first, runs_with, runs_without)
                                 : rough_bound(first, second, runs_without, runs_with);
        if (bound > 0) candidates.push_back({std::move(event), bound});
      }
    }
  }
  sort_best_first(candidates);
  return candidates;
}

std::vector<Candidate> evidence_thresholds(const std::vector<Observation>& without,
                                           const std::vector<Observation>& with,
                                           const std::vector<StatisticList::Entry>& statistics) {
  const auto evidence = std::make_shared<const Evidence>(without, with, statistics);
  TwoSamples sample;
  for (const Observation& run : without) sample.without.values.push_back(evidence->of(run));
  for (const Observation& run : with) sample.with.values.push_back(evidence->of(run));
  std::sort(sample.without.values.begin(), sample.without.values.end());
  std::sort(sample.with.values.begin(), sample.with.values.end());
  sample.without_runs = static_cast<double>(without.size());
  sample.with_runs = static_cast<double>(with.size());
  std::vector<Candidate> candidates;
  for (const Side likelier : {Side::kWithout, Side::kWith}) {
    const bool above = likelier == Side::kWith;
    const auto [threshold, bound] = sample.best(likelier, above);
    if (bound > 0) {
      candidates.push_back({Event{likelier, {}, evidence, above ? threshold : -threshold}, bound});
    }
  }
  sort_best_first(candidates);
  return candidates;
}

void append(std::vector<Event>& events, const std::vector<Candidate>& candidates,
            std::size_t most) {
  for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i) {
    events.push_back(candidates[i].event);
  }
}

}  // namespace

std::vector<Event> choose_events(const std::vector<Observation>& without,
                                 const std::vector<Observation>& with,
                                 const std::vector<StatisticList::Entry>& statistics) {
  const std::vector<Candidate> singles = single_conditions(without, with, statistics);
  std::vector<Event> events;
  append(events, singles, kEventsPerPair - 4);
  append(events, double_conditions(singles, without, with), 2);
  append(events, evidence_thresholds(without, with, statistics), 2);
  return events;
}

}  // namespace privpfc
