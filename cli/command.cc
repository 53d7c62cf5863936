#include "command.h"

namespace privpfc::cli {

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                      const std::string& example) {
  CLI::App* command = parent.add_subcommand(name, summary);
  command->footer("\nExample:\n  " + example);
  return command;
}

}  // namespace privpfc::cli
