#pragma once

namespace privpfc::cli {

// From here on Ctrl-C (and SIGTERM) ends the program with exit code 130 after removing what is
// unfinished on the disk. A release that is in its place already stays. What was withdrawn from a
// ledger stays withdrawn. Call before any thread is started.
void clean_up_on_interrupt();

}  // namespace privpfc::cli
