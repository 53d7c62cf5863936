#include "privpfc/audit/observation.h"

#include <algorithm>

namespace privpfc {

const double* Observation::find(std::uint32_t statistic) const {
  const auto at =
      std::lower_bound(values.begin(), values.end(), statistic,
                       [](const auto& value, auto wanted) { return value.first < wanted; });
  return at != values.end() && at->first == statistic ? &at->second : nullptr;
}

std::uint32_t StatisticList::index_of(std::string_view name, bool is_evidence, bool is_mark) {
  const std::lock_guard lock(mutex_);
  const auto found = indices_.find(name);
  if (found != indices_.end()) return found->second;
  if (entries_.size() >= kMost) return kMost;
  const auto index = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({std::string(name), is_evidence, is_mark});
  indices_.emplace(name, index);
  return index;
}

void Observer::add(std::string_view name, double value, bool is_evidence) {
  note(name, value, is_evidence, false);
}

void Observer::mark(std::string_view words) {
  note(words, 1, true, true);
}

void Observer::note(std::string_view name, double value, bool is_evidence, bool is_mark) {
  auto found = known_.find(name);
  if (found == known_.end()) {
    found = known_.emplace(name, statistics_.index_of(name, is_evidence, is_mark)).first;
  }
  if (found->second < StatisticList::kMost) current_.values.emplace_back(found->second, value);
}

Observation Observer::take() {
  std::sort(current_.values.begin(), current_.values.end());
  return std::exchange(current_, {});
}

}  // namespace privpfc
