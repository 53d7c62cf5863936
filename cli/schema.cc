#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/release/release_writer.h"
#include "privpfc/schema/schema_drawing.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"
#include "privpfc/schema/unit.h"

namespace privpfc::cli {
namespace {

using Json = nlohmann::ordered_json;

struct LintOptions {
  std::vector<std::string> paths;
  bool json = false;
};

Json finding_json(const Finding& finding, const std::string& path) {
  return {{"file", path},
          {"line", finding.at.line},
          {"column", finding.at.column},
          {"severity", finding.severity == Severity::kError ? "error" : "warning"},
          {"message", finding.message}};
}

// What reading it notices, and what `publish` would only say later.
Findings findings_about(const std::string& text) {
  SchemaReading reading = read_schema_text(text);
  if (!reading.schema) return reading.findings;
  const Status publishable = check_publishable(*reading.schema, NumericStyle::kDrawn);
  if (!publishable.ok()) {
    reading.findings.push_back(
        {Severity::kWarning, {}, "cannot be published: " + publishable.error().message});
  }
  return reading.findings;
}

Status lint(const LintOptions& options) {
  Json findings = Json::array();
  std::size_t errors = 0;
  std::size_t warnings = 0;
  ErrorKind kind = ErrorKind::kSchema;
  for (const std::string& path : options.paths) {
    PRIVPFC_ASSIGN(const std::string text, read_schema_file(path));
    for (const Finding& finding : findings_about(text)) {
      ++(finding.severity == Severity::kError ? errors : warnings);
      if (finding.severity == Severity::kError && finding.kind == ErrorKind::kLimit) {
        kind = ErrorKind::kLimit;
      }
      findings.push_back(finding_json(finding, path));
      if (!options.json) fmt::print("{}\n", format_finding(finding, path));
    }
  }
  if (options.json) {
    PRIVPFC_TRY(write_output(
        "", printed_json(Json{
                {"errors", errors}, {"warnings", warnings}, {"findings", std::move(findings)}})));
  }
  if (errors > 0) {
    return make_error(kind, "{} error{} and {} warning{}", errors, errors == 1 ? "" : "s", warnings,
                      warnings == 1 ? "" : "s");
  }
  if (!options.json && warnings == 0) {
    fmt::print("{}: no mistakes found\n", fmt::join(options.paths, ", "));
  }
  return {};
}

struct ShowOptions {
  std::string path;
  std::vector<std::string> attributes;
  bool all = false;
  bool json = false;
};

Json attribute_json(const Attribute& attribute) {
  Json levels = Json::array();
  for (std::size_t level = 0; level < attribute.hierarchy.level_count(); ++level) {
    const auto labels = attribute.hierarchy.labels(LevelIndex(level));
    levels.push_back(std::vector<std::string>(labels.begin(), labels.end()));
  }
  return {{"name", attribute.name},
          {"type", kind_name(attribute.kind)},
          {"use", attribute.used},
          {"levels", std::move(levels)}};
}

Status show(const ShowOptions& options) {
  PRIVPFC_ASSIGN(const Schema schema, load_schema(options.path));
  std::vector<const Attribute*> chosen;
  for (const std::string& name : options.attributes) {
    const std::size_t before = chosen.size();
    for (const Attribute& attribute : schema.attributes) {
      if (attribute.name == name) chosen.push_back(&attribute);
    }
    if (chosen.size() == before) {
      return make_error(ErrorKind::kUsage, "{} has no attribute '{}'", options.path, name);
    }
  }
  if (options.all || (options.json && chosen.empty())) {
    chosen.clear();
    for (const Attribute& attribute : schema.attributes) chosen.push_back(&attribute);
  }
  if (options.json) {
    Json attributes = Json::array();
    for (const Attribute* attribute : chosen) attributes.push_back(attribute_json(*attribute));
    Json shown{
        {"name", schema.name}, {"hash", schema_hash(schema)}, {"classes", schema.label.classes}};
    if (schema.person) {
      shown["person"] = {{"column", column_name(schema.person->column)},
                         {"most_rows", schema.person->most_rows}};
    }
    shown["attributes"] = std::move(attributes);
    return write_output("", printed_json(shown));
  }
  std::string text =
      fmt::format("{}: label {}\n\n", schema.name, fmt::join(schema.label.classes, " | "));
  if (chosen.empty()) {
    text += draw_overview(schema);
    text += "\nOne hierarchy: --attribute NAME. All of them: --all.\n";
  }
  for (const Attribute* attribute : chosen) {
    text += draw_hierarchy(*attribute) + (attribute == chosen.back() ? "" : "\n");
  }
  return write_output("", text);
}

}  // namespace

void add_schema(CLI::App& app, Action& action) {
  CLI::App* schema = app.add_subcommand("schema", "Write, check and draw schemas");
  schema->require_subcommand(1);
  schema->footer(
      "\nExample:\n"
      "  privpfc schema draft clinic.csv --label outcome --out clinic.yaml\n"
      "  privpfc schema lint clinic.yaml\n"
      "  privpfc schema show clinic.yaml --all\n\n"
      "The format is described in docs/schema.md.");

  CLI::App* lint_command =
      add_command(*schema, "lint", "Find every mistake in a schema, without data",
                  "privpfc schema lint hierarchies/adult.yaml\n\n"
                  "Exit codes: 0 no errors (there may be warnings), 4 errors, 6 unreadable file,\n"
                  "7 errors of which one is a limit.");
  auto lint_options = std::make_shared<LintOptions>();
  lint_command->add_option("SCHEMA", lint_options->paths, "Schema files (YAML)")->required();
  lint_command->add_flag("--json", lint_options->json, "Findings as JSON on standard output");
  lint_command->callback(
      [&action, lint_options] { action = [lint_options] { return lint(*lint_options); }; });

  CLI::App* show_command =
      add_command(*schema, "show", "Draw hierarchies as trees, with the number of nodes per level",
                  "privpfc schema show hierarchies/adult.yaml --attribute workclass");
  auto show_options = std::make_shared<ShowOptions>();
  show_command->add_option("SCHEMA", show_options->path, "Schema file (YAML)")->required();
  show_command->add_option("--attribute", show_options->attributes,
                           "Draw this attribute (may be given several times)");
  show_command->add_flag("--all", show_options->all, "Draw every attribute");
  show_command->add_flag("--json", show_options->json, "Levels and labels as JSON");
  show_command->callback(
      [&action, show_options] { action = [show_options] { return show(*show_options); }; });

  add_schema_draft(*schema, action);
  add_schema_import(*schema, action);
  add_schema_export(*schema, action);
}

}  // namespace privpfc::cli
