#include "privpfc/audit/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace privpfc {
namespace {

constexpr std::size_t kParts = 24;  // of a statistic's range

using Values = std::vector<std::vector<double>>;  // by statistic, in rising order

Values values_of(const std::vector<Observation>& runs, std::size_t statistics) {
  Values values(statistics);
  for (const Observation& run : runs) {
    for (const auto& [statistic, value] : run.values) values[statistic].push_back(value);
  }
  for (std::vector<double>& list : values) std::sort(list.begin(), list.end());
  return values;
}

// Where the values are cut into parts of about the same size; few different values are all cut.
std::vector<double> cuts_of(const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> all;
  std::merge(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(all));
  std::vector<double> cuts;
  for (std::size_t part = 1; part < kParts; ++part) cuts.push_back(all[all.size() * part / kParts]);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  if (!cuts.empty() && cuts.front() == all.front()) cuts.erase(cuts.begin());
  return cuts;
}

std::vector<double> counts_between(const std::vector<double>& values,
                                   const std::vector<double>& cuts) {
  std::vector<double> counts;
  auto begin = values.begin();
  for (const double cut : cuts) {
    const auto end = std::lower_bound(begin, values.end(), cut);
    counts.push_back(static_cast<double>(end - begin));
    begin = end;
  }
  counts.push_back(static_cast<double>(values.end() - begin));
  return counts;
}

}  // namespace

Evidence::Evidence(const std::vector<Observation>& without, const std::vector<Observation>& with,
                   const std::vector<StatisticList::Entry>& statistics) {
  const Values ones = values_of(without, statistics.size());
  const Values others = values_of(with, statistics.size());
  parts_.resize(statistics.size());
  for (std::size_t s = 0; s < statistics.size(); ++s) {
    if (!statistics[s].is_evidence || ones[s].size() + others[s].size() < kParts) continue;
    Part part;
    part.cuts = cuts_of(ones[s], others[s]);
    const std::vector<double> seldom = counts_between(ones[s], part.cuts);
    const std::vector<double> often = counts_between(others[s], part.cuts);
    // Being there at all is a statistic of its own: what counts here is the value, given that.
    const bool is_mark = part.cuts.empty();
    const double scale =
        is_mark
            ? static_cast<double>(without.size()) / static_cast<double>(with.size())
            : static_cast<double>(ones[s].size() + 1) / static_cast<double>(others[s].size() + 1);
    for (std::size_t k = 0; k < often.size(); ++k) {
      const double weight = std::log((often[k] + 1) / (seldom[k] + 1) * scale);
      const double error = std::sqrt(1 / (often[k] + 1) + 1 / (seldom[k] + 1));
      part.weights.push_back(std::abs(weight) > 3 * error ? weight : 0);
    }
    if (std::any_of(part.weights.begin(), part.weights.end(), [](double w) { return w != 0; })) {
      parts_[s] = std::move(part);
    }
  }
}

double Evidence::of(const Observation& seen) const {
  double sum = 0;
  for (const auto& [statistic, value] : seen.values) {
    if (statistic >= parts_.size() || parts_[statistic].weights.empty()) continue;
    const Part& part = parts_[statistic];
    const auto at = std::upper_bound(part.cuts.begin(), part.cuts.end(), value) - part.cuts.begin();
    sum += part.weights[static_cast<std::size_t>(at)];
  }
  return sum;
}

std::size_t Evidence::statistics() const {
  return static_cast<std::size_t>(std::count_if(
      parts_.begin(), parts_.end(), [](const Part& part) { return !part.weights.empty(); }));
}

bool Event::happens(const Observation& seen) const {
  if (evidence) {
    const double sum = evidence->of(seen);
    return (likelier == Side::kWith ? sum : -sum) >= least_evidence;
  }
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& condition) { return condition.holds(seen); });
}

std::string Event::words(const std::vector<StatisticList::Entry>& statistics) const {
  if (evidence) {
    return fmt::format(
        "{} of the released numbers, weighed together, speak for the table {} the row by {:.3g}",
        evidence->statistics(), likelier == Side::kWith ? "with" : "without", least_evidence);
  }
  std::string text;
  for (const Condition& condition : conditions) {
    if (!text.empty()) text += " and ";
    const StatisticList::Entry& statistic = statistics[condition.statistic];
    text += statistic.is_mark ? statistic.name
                              : fmt::format("{} {} {:.6g}", statistic.name,
                                            condition.above ? ">=" : "<=", condition.threshold);
  }
  return text;
}

}  // namespace privpfc
