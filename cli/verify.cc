#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "output.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/base/shown_text.h"
#include "privpfc/release/release_check.h"

namespace privpfc::cli {
namespace {

struct VerifyOptions {
  std::string directory;
  bool json = false;
  bool quiet = false;
};

Status run(const VerifyOptions& options) {
  PRIVPFC_ASSIGN(const auto findings, check_release(options.directory));
  const auto failed = std::count_if(findings.begin(), findings.end(),
                                    [](const ReleaseFinding& one) { return !one.passed; });
  if (options.json) {
    auto checks = nlohmann::ordered_json::array();
    for (const ReleaseFinding& finding : findings) {
      checks.push_back(
          {{"check", finding.check}, {"passed", finding.passed}, {"detail", finding.detail}});
    }
    const nlohmann::ordered_json json{{"sound", failed == 0}, {"checks", std::move(checks)}};
    PRIVPFC_TRY(write_output("", printed_json(json)));
  } else if (!options.quiet) {
    for (const ReleaseFinding& finding : findings) {
      // Names come from the release, and somebody else may have made it.
      fmt::print("{}  {}{}{}\n", finding.passed ? "ok  " : "FAIL", shown_text(finding.check),
                 finding.detail.empty() ? "" : ": ", shown_text(finding.detail));
    }
  }
  if (failed == 0) return {};
  return make_error(ErrorKind::kFailure, "{} of {} checks failed", failed, findings.size());
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "verify", "Check a release: files, sums of epsilon, and the rows rebuilt from the cells",
      "privpfc verify release\n\nExit codes: 0 all checks passed, 1 one failed, 3, 4, 6 or 7 "
      "not a readable release.");
  auto options = std::make_shared<VerifyOptions>();
  command->add_option("RELEASE", options->directory, "A release directory")->required();
  command->add_flag("--json", options->json, "The checks as JSON on standard output");
  command->add_flag("--quiet", options->quiet, "Only the exit code");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
