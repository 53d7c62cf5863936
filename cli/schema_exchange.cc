#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "privpfc/base/text_file.h"
#include "privpfc/schema/hierarchy_exchange.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"

namespace privpfc::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

struct ImportOptions {
  std::vector<std::string> paths;
  std::string format;
  std::string separator = ";";
  std::string name = "imported";
  std::string label;
  std::vector<std::string> classes;
  std::string out;
};

// A schema that lacks only what no hierarchy file can know. The label is filled in when given.
std::string imported_schema(const ImportOptions& options,
                            const std::vector<Attribute>& attributes) {
  std::string text = fmt::format("name: {}\n", yaml_text(options.name));
  if (options.label.empty()) {
    text += "# Fill in the label: its column and its classes, which are public.\n";
    text += "label: {column: , classes: []}\n";
  } else {
    std::vector<std::string> classes;
    for (const std::string& one : options.classes) classes.push_back(yaml_text(one));
    text += fmt::format("label: {{column: {}, classes: [{}]}}\n", yaml_text(options.label),
                        fmt::join(classes, ", "));
  }
  text +=
      "# Where values go that are missing or not listed (missing:, other:) is for you to say;\n"
      "# `privpfc schema lint` points out where.\n";
  text += "attributes:\n";
  for (const Attribute& attribute : attributes) text += write_attribute(attribute);
  return text;
}

Result<std::vector<Attribute>> import_file(const std::string& path, const ImportOptions& options) {
  const std::filesystem::path file(path);
  const bool is_json =
      options.format == "json" || (options.format.empty() && file.extension() == ".json");
  PRIVPFC_ASSIGN(const std::string text, read_text_file(path, kMostBytes));
  const auto in_file = [&](Error error) {
    error.message = path + ": " + error.message;
    return error;
  };
  if (is_json) {
    auto attributes = import_nested_json(text);
    if (!attributes.ok()) return in_file(attributes.error());
    return attributes;
  }
  auto attribute = import_arx_csv(text, file.stem().string(), options.separator.front());
  if (!attribute.ok()) return in_file(attribute.error());
  return std::vector{std::move(*attribute)};
}

Status import(const ImportOptions& options) {
  if (options.label.empty() != options.classes.empty()) {
    return make_error(ErrorKind::kUsage, "--label and --classes go together");
  }
  std::vector<Attribute> attributes;
  for (const std::string& path : options.paths) {
    PRIVPFC_ASSIGN(auto imported, import_file(path, options));
    for (Attribute& attribute : imported) {
      if (const auto leaf = leaf_that_is_no_number(attribute)) {
        fmt::print(stderr, "{}: '{}' is taken as categorical, because '{}' is no number\n", path,
                   attribute.name, *leaf);
      }
      attributes.push_back(std::move(attribute));
    }
  }
  return write_output(options.out, imported_schema(options, attributes));
}

struct ExportOptions {
  std::string path;
  std::string format = "json";
  std::string attribute;
  std::string separator = ";";
  std::string out;
};

Status export_schema(const ExportOptions& options) {
  PRIVPFC_ASSIGN(const Schema schema, load_schema(options.path));
  if (options.format == "yaml") return write_output(options.out, write_schema(schema));
  if (options.format == "json") {
    for (const Attribute& attribute : schema.attributes) {
      if (const auto loss = lost_in_json(attribute)) {
        fmt::print(stderr, "'{}': {}\n", attribute.name, *loss);
      }
    }
    return write_output(options.out, export_nested_json(schema));
  }
  if (options.attribute.empty()) {
    return make_error(ErrorKind::kUsage, "an ARX file holds one attribute: add --attribute NAME");
  }
  for (const Attribute& attribute : schema.attributes) {
    if (attribute.name != options.attribute) continue;
    PRIVPFC_ASSIGN(const std::string csv, export_arx_csv(attribute, options.separator.front()));
    return write_output(options.out, csv);
  }
  return make_error(ErrorKind::kUsage, "{} has no attribute '{}'", options.path, options.attribute);
}

CLI::Validator one_character() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.size() == 1 ? std::string() : std::string("expected one character");
      },
      "CHARACTER");
}

}  // namespace

void add_schema_import(CLI::App& schema, Action& action) {
  CLI::App* command = add_command(
      schema, "import", "Make a schema from hierarchies of other tools",
      "privpfc schema import adult-hierarchy.json --label income --classes '<=50K' '>50K' --out "
      "adult.yaml\n  privpfc schema import age.csv workclass.csv --out clinic.yaml\n\n"
      "JSON: {\"attribute\": {\"group\": {\"value\": {}}}}, intervals as in \"(14, 95]\".\n"
      "ARX CSV: one file per attribute, named after it; one line per value, up to the root.");
  auto options = std::make_shared<ImportOptions>();
  command->add_option("FILE", options->paths, "Hierarchy files")->required();
  command->add_option("--format", options->format, "arx or json (default: by the extension)")
      ->check(CLI::IsMember({"arx", "json"}));
  command->add_option("--separator", options->separator, "Of ARX files")
      ->capture_default_str()
      ->check(one_character());
  command->add_option("--name", options->name, "The schema's name")->capture_default_str();
  command->add_option("--label", options->label, "The label's column");
  command->add_option("--classes", options->classes, "The label's classes");
  command->add_option("--out", options->out, "A new file (default: standard output)");
  command->callback([&action, options] { action = [options] { return import(*options); }; });
}

void add_schema_export(CLI::App& schema, Action& action) {
  CLI::App* command = add_command(
      schema, "export", "Write hierarchies for other tools",
      "privpfc schema export adult.yaml --format arx --attribute workclass --out workclass.csv");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("SCHEMA", options->path, "Schema file (YAML)")->required();
  command->add_option("--format", options->format, "json, arx, or yaml in its fixed form")
      ->capture_default_str()
      ->check(CLI::IsMember({"json", "arx", "yaml"}));
  command->add_option("--attribute", options->attribute, "The attribute (ARX)");
  command->add_option("--separator", options->separator, "Of ARX files")
      ->capture_default_str()
      ->check(one_character());
  command->add_option("--out", options->out, "A new file (default: standard output)");
  command->callback([&action, options] { action = [options] { return export_schema(*options); }; });
}

}  // namespace privpfc::cli
