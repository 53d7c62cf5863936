#include "interrupt.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <utility>

#include "debit.h"
#include "privpfc/base/error.h"
#include "privpfc/release/staging.h"

namespace privpfc::cli {
namespace {

std::string message_after(Discarded discarded, const std::string& missing) {
  std::string message = "\nprivpfc: interrupted";
  if (discarded == Discarded::kNothingAsAllIsDone) {
    return message + "; the release had been written, whole, and stays\n";
  }
  if (!result_is_kept()) message += "; " + missing;
  message += "\n";
  if (const char* note = debit_note()) message += fmt::format("privpfc: {}\n", note);
  return message;
}

}  // namespace

void clean_up_on_interrupt(std::string missing) {
  // A thread of its own waits for the signal, so that cleaning up may do what no handler may.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  struct sigaction hang_up {};
  if (::sigaction(SIGHUP, nullptr, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN) {
    sigaddset(&signals, SIGHUP);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, missing = std::move(missing)] {
    int signal = 0;
    sigwait(&signals, &signal);
    const auto no_more_results = hold_results();
    const std::string message = message_after(discard_staging_directories(), missing);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
    ::_exit(static_cast<int>(ErrorKind::kInterrupted));
  }).detach();
}

}  // namespace privpfc::cli
