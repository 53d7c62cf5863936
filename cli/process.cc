#include "process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace privpfc::cli {

void harden_process() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0);  // also keeps other processes of this user from attaching
  ::umask(077);
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
}

}  // namespace privpfc::cli
