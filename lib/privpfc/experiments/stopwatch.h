#pragma once

#include <time.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace privpfc {

// Processor time of this thread: what a method costs, whatever else the machine does.
class Stopwatch {
 public:
  Stopwatch() : start_(now()) {}
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }
  double start_;
};

// What one kind of work took.
struct PartTime {
  std::string part;
  double seconds = 0;
};

// Adds a time to the part of this name, or begins one.
inline void add_time(std::vector<PartTime>& parts, std::string_view name, double seconds) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const PartTime& p) { return p.part == name; });
  if (found == parts.end()) {
    parts.push_back({std::string(name), seconds});
  } else {
    found->seconds += seconds;
  }
}

// Tells the time by kinds of work, one after the other.
class PartClock {
 public:
  // What went before ends here.
  void begin(std::string_view part) {
    end();
    part_ = part;
  }
  // Ends the work at hand; the seconds since it began.
  double end() {
    const double seconds = watch_.seconds();
    if (!part_.empty()) add_time(parts_, part_, seconds);
    part_.clear();
    watch_ = Stopwatch();
    return seconds;
  }
  // All parts since the last call.
  std::vector<PartTime> take() {
    end();
    return std::exchange(parts_, {});
  }

 private:
  Stopwatch watch_;
  std::string part_;
  std::vector<PartTime> parts_;
};

}  // namespace privpfc
