#pragma once

#include "command.h"
#include "privpfc/direct/linear.h"

namespace privpfc::cli {

// The flags of svm-objective, svm-output, svm-objective-rff and logistic-objective.
void add_linear_flags(CLI::App& command, LinearDirectOptions& options);

}  // namespace privpfc::cli
