#include <fmt/format.h>

#include <cstdio>

#include "commands.h"
#include "process.h"

int main(int argc, char** argv) {
  using namespace privpfc::cli;
  harden_process();
  CLI::App app{"Differentially private synthetic tables, tuned for classification"};
  app.name("privpfc");
  app.set_version_flag("--version", "privpfc " PRIVPFC_VERSION);
  app.require_subcommand(1);
  Action action;
  add_publish(app, action);
  add_check(app, action);
  add_plan(app, action);
  add_schema(app, action);
  add_inspect(app, action);
  add_verify(app, action);
  add_ledger(app, action);
  add_sample(app, action);
  add_evaluate(app, action);
  add_train(app, action);
  add_predict(app, action);
  add_compare(app, action);
  add_audit(app, action);
  add_methods(app, action);
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
