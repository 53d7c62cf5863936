#include <fmt/format.h>

#include <cstdio>

#include "command.h"

int main(int argc, char** argv) {
  CLI::App app{"privpfc: differentially private synthetic tables, tuned for classification"};
  app.require_subcommand(1);
  privpfc::cli::Action action;
  privpfc::cli::add_ledger(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(privpfc::ErrorKind::kUsage);
  }
  const privpfc::Status status = action();
  if (status.ok()) return 0;
  fmt::print(stderr, "privpfc: {}\n", status.error().message);
  return static_cast<int>(status.error().kind);
}
