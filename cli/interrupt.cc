#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <string_view>
#include <thread>

#include "privpfc/base/error.h"
#include "privpfc/release/staging.h"

namespace privpfc::cli {
namespace {

std::string_view message_after(Discarded discarded) {
  switch (discarded) {
    case Discarded::kUnfinished:
      return "\nprivpfc: interrupted; no release was written\n";
    case Discarded::kNothingAsAllIsDone:
      return "\nprivpfc: interrupted; the release had been written, whole, and stays\n";
    case Discarded::kNothing:
      break;
  }
  return "\nprivpfc: interrupted\n";
}

}  // namespace

void clean_up_on_interrupt() {
  // A thread of its own waits for the signal, so that cleaning up may do what no handler may.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    const std::string_view message = message_after(discard_staging_directories());
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
    ::_exit(static_cast<int>(ErrorKind::kInterrupted));
  }).detach();
}

}  // namespace privpfc::cli
