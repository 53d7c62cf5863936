#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "privpfc/base/result.h"

namespace privpfc::cli {

// `help` and `help schema lint` ask for what `--help` and `schema lint --help` do.
std::vector<std::string> with_help_as_flag(std::vector<std::string> arguments);

// An error of kind kUsage if the arguments name a command that is not there; it suggests the one
// that is spelled nearly so, or lists them. The parser alone would call it an unexpected argument.
Status check_command_names(const CLI::App& app, const std::vector<std::string>& arguments);

// An error of kind kUsage if an argument is empty, as a variable that is not set makes it: to take
// `--ledger ""` for no ledger would pass by the cap.
Status check_not_empty(const std::vector<std::string>& arguments);

}  // namespace privpfc::cli
