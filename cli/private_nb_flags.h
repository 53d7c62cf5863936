#pragma once

#include "command.h"
#include "privpfc/direct/nb_options.h"

namespace privpfc::cli {

// What the naive Bayes methods of `train --private` can be told.
void add_private_nb_flags(CLI::App& command, NaiveBayesDirectOptions& options);

}  // namespace privpfc::cli
