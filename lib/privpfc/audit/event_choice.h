#pragma once

#include <vector>

#include "privpfc/audit/event.h"

namespace privpfc {

inline constexpr std::size_t kEventsPerPair = 8;

// The events that tell the two tables apart best, by runs of which the table is known: thresholds
// on one statistic, two of them together, thresholds on the evidence; in both directions. At most
// kEventsPerPair. How good they really are must be seen on other runs.
std::vector<Event> choose_events(const std::vector<Observation>& without,
                                 const std::vector<Observation>& with,
                                 const std::vector<StatisticList::Entry>& statistics);

}  // namespace privpfc
