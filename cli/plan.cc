#include "privpfc/pipeline/plan.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "limit_options.h"
#include "output.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/unit.h"
#include "share_options.h"

namespace privpfc::cli {
namespace {

struct PlanOptions {
  std::string schema;
  std::string rows;
  std::vector<std::string> epsilons;
  ShareOptions shares;
  PoolLimits limits;
  bool json = false;
};

// "~45000": a rough number that the curator says aloud, not the true one.
Result<std::int64_t> read_rows(std::string_view text) {
  if (text.starts_with('~')) text.remove_prefix(1);
  std::int64_t rows = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (code != std::errc() || end != text.data() + text.size() || rows < 1) {
    return make_error(ErrorKind::kUsage, "--rows should be a rough number of rows, such as ~50000");
  }
  return rows;
}

template <typename Number>
std::string counted(Number count, const std::string& one, const std::string& many = "") {
  if (count == 1) return "1 " + one;
  return fmt::format("{} {}", count, many.empty() ? one + "s" : many);
}

Status run(const PlanOptions& options) {
  PRIVPFC_ASSIGN(const Schema schema, load_schema(options.schema));
  PRIVPFC_ASSIGN(const std::int64_t rows, read_rows(options.rows));
  PRIVPFC_ASSIGN(const Shares shares, read_shares(options.shares));
  std::vector<ReleasePlan> plans;
  for (const std::string& text : options.epsilons) {
    PRIVPFC_ASSIGN(const Epsilon epsilon, Epsilon::parse(text));
    PRIVPFC_ASSIGN(auto plan, plan_release(schema, rows, epsilon, shares, options.limits));
    plans.push_back(std::move(plan));
  }
  if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const ReleasePlan& plan : plans) {
      list.push_back({{"epsilon", plan.epsilon.to_string()},
                      {"epsilon_per_row", plan.row_epsilon.to_string()},
                      {"most_cells", plan.most_cells},
                      {"pool_size", plan.pool_size},
                      {"feature_selection", plan.feature_picks > 0},
                      {"features_picked", plan.feature_picks},
                      {"noise_per_count", plan.noise_per_count},
                      {"smallest_visible_cell", plan.visible_rows},
                      {"smallest_visible_share", plan.visible_share}});
    }
    return write_output("", printed_json(list));
  }
  std::string text = fmt::format(
      "{}: about {}, {}, {}. No data was read.\n\n"
      "{:>9}  {:>10}  {:>11}  {:>17}  {:>15}  {:>20}\n",
      schema.name, counted(rows, "row"), counted(schema.attributes.size(), "attribute"),
      counted(schema.class_count(), "class", "classes"), "epsilon", "most cells", "grids",
      "feature selection", "noise per count", "smallest seen group");
  for (const ReleasePlan& plan : plans) {
    text += fmt::format(
        "{:>9}  {:>10}  {:>11}  {:>17}  {:>15}  {:>20}\n", plan.epsilon.to_string(),
        plan.most_cells, plan.pool_size == 0 ? "(depends)" : fmt::format("{}", plan.pool_size),
        plan.feature_picks > 0 ? counted(plan.feature_picks, "attribute") : "no",
        fmt::format("+-{:.3g}", plan.noise_per_count),
        fmt::format("{} ({:.2g} %)", counted(std::llround(plan.visible_rows), "row"),
                    100 * plan.visible_share));
  }
  text +=
      "\nmost cells: the finest grid that is considered. grids: how many are compared.\n"
      "noise per count: standard deviation of the noise on each released count.\n"
      "smallest seen group: rows that a cell needs for its majority to survive the noise (95 %).\n";
  if (schema.person) {
    text += fmt::format(
        "epsilon is for {}:\neach row has 1/{} of it, and the figures follow from that.\n",
        unit_in_words(schema), schema.person->most_rows);
  }
  return write_output("", text);
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "plan", "What each epsilon would buy, from the schema and a rough number of rows alone",
      "privpfc plan --schema samples/readmission.yaml --rows '~10000' --epsilon 0.1,0.5,1");
  auto options = std::make_shared<PlanOptions>();
  command->add_option("--schema", options->schema, "The public schema (YAML)")->required();
  command->add_option("--rows", options->rows, "About how many rows there are")->required();
  command->add_option("--epsilon", options->epsilons, "One or more, with commas between")
      ->required()
      ->delimiter(',');
  add_share_options(*command, options->shares);
  add_limit_options(*command, options->limits);
  command->add_flag("--json", options->json, "The plan as JSON on standard output");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
