#pragma once

#include "command.h"
#include "privpfc/direct/tree_options.h"

namespace privpfc::cli {

// What the trees and forests of `train --private` can be told.
void add_private_tree_flags(CLI::App& command, TreeDirectOptions& options);

}  // namespace privpfc::cli
