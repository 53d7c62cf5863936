#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "output.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/experiments/contender.h"

namespace privpfc::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string describe(const MethodCard& card) {
  return fmt::format("{}\n  {}\n  {} {}; guarantee: {}\n  {}{}\n", card.name, card.summary,
                     card.kind, list_of(card.classifiers), card.guarantee, card.source,
                     card.experiments_only ? "\n  for compare only; never writes a release" : "");
}

Status run(bool json) {
  std::string text;
  Json list = Json::array();
  for (const std::unique_ptr<Contender>& contender : all_contenders()) {
    const MethodCard card = contender->card();
    text += (text.empty() ? "" : "\n") + describe(card);
    list.push_back({{"name", card.name},
                    {"kind", card.kind},
                    {"classifiers", card.classifiers},
                    {"promise", promise_name(card.promise)},
                    {"guarantee", card.guarantee},
                    {"summary", card.summary},
                    {"source", card.source},
                    {"experiments_only", card.experiments_only}});
  }
  return write_output("", json ? printed_json(list) : text);
}

}  // namespace

void add_methods(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "methods", "List every method: what it does, what it guarantees, where it comes from",
      "privpfc methods\n"
      "  privpfc methods --json\n\n"
      "Methods that publish serve `publish`, methods that train serve `train --private`; all of\n"
      "them can take part in `compare`. Exit code: 0.");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  command->callback([&action, json] { action = [json] { return run(*json); }; });
}

}  // namespace privpfc::cli
