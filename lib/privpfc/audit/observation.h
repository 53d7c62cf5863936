#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace privpfc {

// What an attacker sees of one run: numbers, each of a statistic. A run need not have them all: the
// count of a cell is there only where the grid was chosen that has the cell.
struct Observation {
  std::vector<std::pair<std::uint32_t, double>> values;  // by statistic, in rising order

  const double* find(std::uint32_t statistic) const;
};

// The statistics that any run of one audited pair has had. May be used by several threads at once.
class StatisticList {
 public:
  // So many are kept; what comes later is not looked at.
  static constexpr std::uint32_t kMost = 4'096;

  struct Entry {
    std::string name;
    bool is_evidence;  // one of the numbers that the others are computed from
    bool is_mark;      // it is there or not: there is nothing in its value
  };

  // kMost where there is no more room.
  std::uint32_t index_of(std::string_view name, bool is_evidence, bool is_mark);

  // By index. Not while others add.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::mutex mutex_;
  std::vector<Entry> entries_;
  std::map<std::string, std::uint32_t, std::less<>> indices_;
};

// Writes down one run after the other; one object serves one thread.
class Observer {
 public:
  explicit Observer(StatisticList& statistics) : statistics_(statistics) {}

  // `is_evidence`: not computed from others that are added too.
  void add(std::string_view name, double value, bool is_evidence = true);

  // Something that a run shows or does not, in words that say it; evidence.
  void mark(std::string_view words);

  // All that was added since the last call.
  Observation take();

 private:
  void note(std::string_view name, double value, bool is_evidence, bool is_mark);

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  StatisticList& statistics_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> known_;
  Observation current_;
};

}  // namespace privpfc
