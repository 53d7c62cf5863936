#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "privpfc/base/error.h"
#include "privpfc/release/staging.h"

namespace privpfc::cli {

void clean_up_on_interrupt() {
  // A thread of its own waits for the signal, so that cleaning up may do what no handler may.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int signal = 0;
    do {
      sigwait(&signals, &signal);
    } while (!discard_staging_directories());
    constexpr char kMessage[] = "\nprivpfc: interrupted; no release was written\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
    ::_exit(static_cast<int>(ErrorKind::kInterrupted));
  }).detach();
}

}  // namespace privpfc::cli
