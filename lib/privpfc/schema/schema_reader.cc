#include "privpfc/schema/schema_reader.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "privpfc/base/text_file.h"
#include "privpfc/schema/reading.h"
#include "privpfc/schema/yaml_document.h"

namespace privpfc {
namespace {

using internal::Reading;

std::string read_name(const YamlNode& root, Reading& reading) {
  const YamlNode* node = root.find("name");
  if (node == nullptr) {
    reading.error(root.at, "name is missing");
    return {};
  }
  const auto name = reading.text(*node, "name");
  if (!name) return {};
  const bool plain =
      !name->empty() && name->size() <= 64 && std::all_of(name->begin(), name->end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
      });
  if (!plain) {
    reading.error(node->at, "name should be 1 to 64 letters, digits, '-', '_' or '.'");
  }
  return *name;
}

std::optional<Label> read_label(const YamlNode& root, Reading& reading) {
  const YamlNode* node = root.find("label");
  if (node == nullptr || !node->is_map()) {
    reading.error(node == nullptr ? root.at : node->at,
                  "label is missing: write label: {{column: NAME, classes: [a, b]}}");
    return std::nullopt;
  }
  reading.check_keys(*node, "label", {"column", "classes", "aliases", "other", "description"});
  Label label;
  bool fine = true;
  if (const YamlNode* column = node->find("column")) {
    if (auto reference = reading.column(*column)) {
      label.column = std::move(*reference);
    } else {
      fine = false;
    }
  } else {
    reading.error(node->at, "label: column is missing");
    fine = false;
  }
  const YamlNode* classes = node->find("classes");
  if (classes == nullptr) {
    reading.error(node->at,
                  "label: classes is missing; the classes are public and never taken from "
                  "the data");
    return std::nullopt;
  }
  auto names = reading.text_list(*classes, "classes");
  if (!names) return std::nullopt;
  label.classes = std::move(*names);
  if (label.classes.size() < 2) {
    reading.error(classes->at, "label: at least two classes are needed");
    fine = false;
  }
  if (label.classes.size() > Label::kMaxClasses) {
    reading.limit(classes->at, "label: more than {} classes", Label::kMaxClasses);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < label.classes.size(); ++i) {
    if (std::count(label.classes.begin(), label.classes.end(), label.classes[i]) > 1) {
      reading.error(classes->at, "label: the class '{}' is listed twice", label.classes[i]);
      return std::nullopt;
    }
    label.spellings.emplace_back(label.classes[i], ClassIndex(i));
  }
  internal::read_aliases(*node, label.classes, label.spellings, reading);
  if (const YamlNode* other = node->find("other")) {
    const auto found = std::find(label.classes.begin(), label.classes.end(), other->scalar);
    if (!other->is_scalar() || found == label.classes.end()) {
      reading.error(other->at, "label: other should name one of the classes");
      fine = false;
    } else {
      label.other_class = ClassIndex(static_cast<std::size_t>(found - label.classes.begin()));
      label.other_declared = true;
    }
  }
  return fine ? std::optional(std::move(label)) : std::nullopt;
}

CsvFormat read_csv_format(const YamlNode& root, Reading& reading) {
  CsvFormat csv;
  const YamlNode* node = root.find("csv");
  if (node == nullptr) return csv;
  if (!node->is_map()) {
    reading.error(node->at, "csv should be {{separator: \";\", ...}}");
    return csv;
  }
  reading.check_keys(*node, "csv", {"header", "separator", "quote", "skip"});
  if (const YamlNode* header = node->find("header")) {
    csv.header = reading.boolean(*header, "header").value_or(true);
  }
  if (const YamlNode* separator = node->find("separator")) {
    if (!separator->is_scalar() || !set_separator(separator->scalar, csv)) {
      reading.error(separator->at,
                    "separator should be one character, or one character and a "
                    "space");
    }
  }
  if (const YamlNode* quote = node->find("quote")) {
    if (quote->scalar == "none") {
      csv.quote.reset();
    } else if (quote->scalar.size() == 1 && quote->scalar[0] != csv.separator) {
      csv.quote = quote->scalar[0];
    } else {
      reading.error(quote->at, "quote should be one character, or none");
    }
  }
  if (const YamlNode* skip = node->find("skip")) {
    const char* end = skip->scalar.data() + skip->scalar.size();
    const auto [stopped, code] = std::from_chars(skip->scalar.data(), end, csv.skip_lines);
    if (!skip->is_scalar() || code != std::errc() || stopped != end || csv.skip_lines > 1000) {
      reading.error(skip->at, "skip should be a number of lines, at most 1000");
      csv.skip_lines = 0;
    }
  }
  return csv;
}

// Two attributes may not read the same column, and a file without a header has no names.
void check_columns(const Schema& schema, const YamlNode& attributes, Reading& reading) {
  const auto describe = [](const ColumnRef& column) {
    return std::holds_alternative<std::string>(column)
               ? "'" + std::get<std::string>(column) + "'"
               : fmt::format("{}", std::get<std::size_t>(column) + 1);
  };
  std::unordered_map<std::string, std::string> users;
  users.emplace(describe(schema.label.column), "the label");
  const auto check_name = [&](const ColumnRef& column, Position at) {
    if (!schema.csv.header && std::holds_alternative<std::string>(column)) {
      reading.error(at,
                    "csv has header: false, so say which column this is by its position: "
                    "column: 3");
    }
  };
  check_name(schema.label.column, {attributes.at});
  for (const Attribute& attribute : schema.attributes) {
    Position at = attributes.at;
    for (const YamlNode& key : attributes.keys) {
      if (key.scalar == attribute.name) at = key.at;
    }
    const std::string column = describe(attribute.column);
    const auto [found, is_new] = users.emplace(column, "'" + attribute.name + "'");
    if (!is_new) reading.error(at, "column {} is already read for {}", column, found->second);
    check_name(attribute.column, at);
    const bool ignored = std::find(schema.ignored_columns.begin(), schema.ignored_columns.end(),
                                   attribute.name) != schema.ignored_columns.end();
    if (ignored) reading.error(at, "'{}' is listed under ignore as well", attribute.name);
  }
}

std::optional<Schema> read_root(const YamlNode& root, Reading& reading) {
  if (!root.is_map()) {
    reading.error(root.at, "{}",
                  root.is_null() ? "the file is empty" : "a schema begins with name:");
    return std::nullopt;
  }
  reading.check_keys(root, "a schema",
                     {"name", "description", "source", "label", "attributes", "ignore", "csv"});
  Schema schema;
  schema.name = read_name(root, reading);
  schema.description = reading.prose(root, "description");
  schema.source = reading.prose(root, "source");
  schema.csv = read_csv_format(root, reading);
  auto label = read_label(root, reading);
  if (label) schema.label = std::move(*label);
  if (const YamlNode* ignore = root.find("ignore")) {
    if (auto names = reading.text_list(*ignore, "ignore")) {
      schema.ignored_columns = std::move(*names);
    }
  }
  const YamlNode* attributes = root.find("attributes");
  if (attributes == nullptr || !attributes->is_map() || attributes->keys.empty()) {
    reading.error(attributes == nullptr ? root.at : attributes->at,
                  "attributes is missing or empty: list at least one column besides the label");
    return std::nullopt;
  }
  if (attributes->keys.size() > Schema::kMaxAttributes) {
    reading.limit(attributes->at, "more than {} attributes", Schema::kMaxAttributes);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < attributes->keys.size(); ++i) {
    auto attribute = internal::read_attribute(attributes->keys[i], attributes->items[i], reading);
    if (attribute) schema.attributes.push_back(std::move(*attribute));
  }
  if (label) check_columns(schema, *attributes, reading);
  if (std::none_of(schema.attributes.begin(), schema.attributes.end(),
                   [](const Attribute& attribute) { return attribute.used; }) &&
      reading.error_count() == 0) {
    reading.error(attributes->at, "every attribute has use: false");
  }
  return schema;
}

}  // namespace

SchemaReading read_schema_text(std::string_view yaml) {
  SchemaReading result;
  if (!internal::is_valid_utf8(yaml)) {
    result.findings.push_back({Severity::kError, {}, "the file is not UTF-8 text"});
    return result;
  }
  const auto root = read_yaml(yaml, YamlLimits{}, result.findings);
  if (root) {
    Reading reading(result.findings);
    auto schema = read_root(*root, reading);
    if (reading.error_count() == 0) result.schema = std::move(schema);
  }
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
                   });
  return result;
}

bool set_separator(std::string_view text, CsvFormat& csv) {
  const bool spaced = text.size() == 2 && text[1] == ' ' && text[0] != ' ';
  const bool allowed = !text.empty() && text[0] != '"' && text[0] != '\n' && text[0] != '\r' &&
                       static_cast<unsigned char>(text[0]) < 0x80;
  if (!allowed || (text.size() != 1 && !spaced)) return false;
  csv.separator = text[0];
  csv.space_after_separator = spaced;
  return true;
}

Result<std::string> read_schema_file(const std::string& path) {
  return read_text_file(path, YamlLimits{}.bytes);
}

Result<Schema> load_schema(const std::string& path) {
  PRIVPFC_ASSIGN(const std::string text, read_schema_file(path));
  SchemaReading reading = read_schema_text(text);
  if (reading.schema) return std::move(*reading.schema);
  Error error{ErrorKind::kSchema, "the schema has mistakes:"};
  for (const Finding& finding : reading.findings) {
    if (finding.severity != Severity::kError) continue;
    if (finding.kind == ErrorKind::kLimit) error.kind = ErrorKind::kLimit;
    error.message += "\n  " + format_finding(finding, path);
  }
  return error;
}

std::string format_finding(const Finding& finding, std::string_view path) {
  const char* severity = finding.severity == Severity::kError ? "error" : "warning";
  if (finding.at.line == 0) return fmt::format("{}: {}: {}", path, severity, finding.message);
  return fmt::format("{}:{}:{}: {}: {}", path, finding.at.line, finding.at.column, severity,
                     finding.message);
}

}  // namespace privpfc
