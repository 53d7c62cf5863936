#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "privpfc/base/result.h"

namespace privpfc::cli {

// What the parsed command line asks for. Each add_* function, one per file, describes one command
// to the parser; when that command is chosen, its typed options become the action that main runs.
using Action = std::function<Status()>;

// The look of every --help: summary, options, then an example.
CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                      const std::string& example);

void add_ledger(CLI::App& app, Action& action);

}  // namespace privpfc::cli
