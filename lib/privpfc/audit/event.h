#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "privpfc/audit/observation.h"

namespace privpfc {

// The two tables of a pair: the same rows, without and with one more.
enum class Side { kWithout, kWith };

constexpr Side other_side(Side side) {
  return side == Side::kWithout ? Side::kWith : Side::kWithout;
}

// A statistic at or above a threshold, or at or below it. Never true of a run without it.
struct Condition {
  std::uint32_t statistic = 0;
  bool above = true;
  double threshold = 0;

  bool holds(const Observation& seen) const {
    const double* value = seen.find(statistic);
    return value != nullptr && (above ? *value >= threshold : *value <= threshold);
  }
};

// How much more often numbers like those of a run were seen with the row than without it: the sum,
// over the statistics, of the logarithm of the ratio of their frequencies. Where the numbers are
// independent, as noise is, no attack does better than a threshold on it.
class Evidence {
 public:
  // Learned from runs of which the table is known. Ratios that may be chance count as 1.
  Evidence(const std::vector<Observation>& without, const std::vector<Observation>& with,
           const std::vector<StatisticList::Entry>& statistics);

  double of(const Observation& seen) const;
  std::size_t statistics() const;  // how many tell anything

 private:
  struct Part {
    std::vector<double> cuts;     // a value is in the part after the last cut that it reaches
    std::vector<double> weights;  // one more than cuts
  };
  std::vector<Part> parts_;  // by statistic
};

// Something that a run does or does not show, chosen because it seemed likelier on one side.
struct Event {
  Side likelier = Side::kWith;
  std::vector<Condition> conditions;         // all of them hold; or, if there are none,
  std::shared_ptr<const Evidence> evidence;  // the evidence
  double least_evidence = 0;                 // for `likelier` is at least this

  bool happens(const Observation& seen) const;
  std::string words(const std::vector<StatisticList::Entry>& statistics) const;
};

}  // namespace privpfc
