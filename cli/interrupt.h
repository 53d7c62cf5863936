#pragma once

#include <string>

namespace privpfc::cli {

// From here on Ctrl-C (and SIGTERM; SIGHUP, unless it is ignored, as by nohup) ends the program
// with exit code 130 after removing what is unfinished on the disk, and says what was debited. A
// result that is in its place already stays; where there is none, `missing` is said: "no release
// was written". What was withdrawn from a ledger stays withdrawn. Call before any thread is
// started.
void clean_up_on_interrupt(std::string missing);

}  // namespace privpfc::cli
