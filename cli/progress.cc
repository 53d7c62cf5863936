#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <utility>

namespace privpfc::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::size_t kWidth = 30;

std::string remaining_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole >= 3600) return fmt::format("{} h {} min left", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {} s left", whole / 60, whole % 60);
  return fmt::format("{} s left", whole);
}

}  // namespace

Progress::Progress(std::string what, std::uint64_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      enabled_(!quiet && total > 0 && ::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + kPatience) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::update(std::uint64_t done) {
  if (!enabled_) return;
  if (!first_) first_ = done;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const auto filled = static_cast<std::size_t>(share * kWidth);
  std::string remaining;
  if (done > *first_ && done < total_) {
    const double pace =
        std::chrono::duration<double>(now - start_).count() / static_cast<double>(done - *first_);
    remaining = "  " + remaining_text(pace * static_cast<double>(total_ - done));
  }
  // Not by fmt::print, which throws where the terminal is gone.
  std::fputs(fmt::format("\r{} [{:#<{}}{:.<{}}] {:3.0f} %{}\x1b[K", what_, "", filled, "",
                         kWidth - filled, 100 * share, remaining)
                 .c_str(),
             stderr);
  std::fflush(stderr);
}

}  // namespace privpfc::cli
