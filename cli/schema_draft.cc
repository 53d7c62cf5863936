#include "commands.h"
namespace privpfc::cli {
void add_schema_draft(CLI::App&, Action&) {}
}  // namespace privpfc::cli
