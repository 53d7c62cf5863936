#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "arguments.h"
#include "commands.h"
#include "debit.h"
#include "output.h"
#include "privpfc/base/shown_text.h"
#include "process.h"

namespace {

// What the system could not give, as an error like any other: what is unfinished has been removed
// on the way here.
privpfc::Status carry_out(const privpfc::cli::Action& action) {
  using privpfc::ErrorKind;
  try {
    return action();
  } catch (const std::bad_alloc&) {
    return privpfc::make_error(ErrorKind::kLimit, "out of memory");
  } catch (const std::system_error& problem) {
    return privpfc::make_error(ErrorKind::kIo, "{}{}",
                               std::ferror(stdout) != 0 ? "cannot write to standard output: " : "",
                               problem.code().message());
  } catch (const std::exception&) {
    // What it says may quote a value.
    return privpfc::make_error(ErrorKind::kFailure,
                               "an error that should not happen; please report it (SECURITY.md)");
  }
}

// Not by fmt::print, which throws where standard error cannot be written.
int report(const privpfc::Error& error) {
  std::string message = "privpfc: " + privpfc::shown_lines(error.message) + "\n";
  if (const char* note = privpfc::cli::debit_note()) message += fmt::format("privpfc: {}\n", note);
  std::fwrite(message.data(), 1, message.size(), stderr);
  return static_cast<int>(error.kind);
}

// A command has succeeded once what it printed has arrived.
int end(privpfc::Status status) {
  if (status.ok()) status = privpfc::cli::finish_output();
  return status.ok() ? 0 : report(status.error());
}

}  // namespace

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
  std::vector<std::string> arguments = with_help_as_flag({argv + std::min(argc, 1), argv + argc});
  const privpfc::Status named = check_command_names(app, arguments);
  if (!named.ok()) return report(named.error());
  const privpfc::Status filled = check_not_empty(arguments);
  if (!filled.ok()) return report(filled.error());
  try {
    std::reverse(arguments.begin(), arguments.end());  // as the parser wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? end({}) : static_cast<int>(privpfc::ErrorKind::kUsage);
  }
  return end(carry_out(action));
}
