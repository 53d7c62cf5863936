#pragma once

#include <string>

#include "command.h"

namespace privpfc::cli {

// Whether every option of `train` that was given is of use to what is trained: the private method,
// or, where that is empty, the kind of model. An option without a use would be ignored in silence,
// and epsilon spent on something else than was asked for. An error of kind kUsage names it.
Status check_options_have_a_use(const CLI::App& train, const std::string& method,
                                const std::string& kind);

}  // namespace privpfc::cli
