#pragma once

#include "command.h"
#include "privpfc/pipeline/pool_plan.h"

namespace privpfc::cli {

// --max-cells and --max-grids: a plan takes those, and only those, that `publish` does.
void add_limit_options(CLI::App& command, PoolLimits& limits);

}  // namespace privpfc::cli
