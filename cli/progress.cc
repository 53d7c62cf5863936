#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace privpfc::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::size_t kWidth = 30;

}  // namespace

Progress::Progress(std::string what, std::uint64_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      enabled_(!quiet && total > 0 && ::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + kPatience) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::update(std::uint64_t done) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const auto filled = static_cast<std::size_t>(share * kWidth);
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3.0f} %\x1b[K", what_, "", filled, "",
             kWidth - filled, 100 * share);
  std::fflush(stderr);
}

}  // namespace privpfc::cli
