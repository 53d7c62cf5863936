#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

namespace privpfc::cli {

// Names the stages of a command on a terminal, one line that is written over. The names are public,
// and nothing tells how long a stage takes. A terminal that is gone is no reason to stop, all the
// less after a debit: not by fmt::print, which throws.
class StageLine {
 public:
  explicit StageLine(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;
  ~StageLine() { clear(); }

  void operator()(std::string_view stage) const {
    if (shown_) std::fputs(fmt::format("\r\x1b[K{} ...", stage).c_str(), stderr);
  }
  // Makes room for other output.
  void clear() const {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }

 private:
  bool shown_;
};

}  // namespace privpfc::cli
