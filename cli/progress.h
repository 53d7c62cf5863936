#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace privpfc::cli {

// A bar on stderr for work that takes long, with the time that remains at the pace so far: only on
// a terminal, only after a moment, gone at the end. Never for work whose pace depends on private
// values.
class Progress {
 public:
  Progress(std::string what, std::uint64_t total, bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void update(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  std::uint64_t total_;
  bool enabled_;
  bool shown_ = false;
  // Where it began: work that an earlier run has done says nothing about the pace.
  Clock::time_point start_;
  std::optional<std::uint64_t> first_;
  Clock::time_point next_;
};

}  // namespace privpfc::cli
