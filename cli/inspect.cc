#include <fmt/format.h>

#include <memory>
#include <string>

#include "commands.h"
#include "output.h"
#include "privpfc/release/release_reader.h"
#include "release_view.h"

namespace privpfc::cli {
namespace {

struct InspectOptions {
  std::string directory;
  bool json = false;
};

Status run(const InspectOptions& options) {
  PRIVPFC_ASSIGN(const Release release, open_release(options.directory));
  if (options.json) {
    return write_output("", write_manifest(release.manifest, release.schema));
  }
  return write_output("", describe_release(release.manifest, release.schema));
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  CLI::App* command = add_command(app, "inspect", "Show what a release holds and promises",
                                  "privpfc inspect release");
  auto options = std::make_shared<InspectOptions>();
  command->add_option("RELEASE", options->directory, "A release directory")->required();
  command->add_flag("--json", options->json, "The manifest on standard output");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
