#pragma once

namespace privpfc::cli {

// From here on Ctrl-C (and SIGTERM) ends the program with exit code 130 after removing what is
// unfinished on the disk. Once a release is in its place the signal is too late and is ignored: the
// program is about to end with success. What was withdrawn from a ledger stays withdrawn. Call
// before any thread is started.
void clean_up_on_interrupt();

}  // namespace privpfc::cli
