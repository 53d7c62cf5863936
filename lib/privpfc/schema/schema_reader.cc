#include "privpfc/schema/schema_reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "privpfc/base/shown_text.h"
#include "privpfc/base/text_file.h"
#include "privpfc/base/utf8.h"
#include "privpfc/schema/reading.h"
#include "privpfc/schema/schema_writer.h"
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

// What could be read of the label; any error has been noted.
Label read_label(const YamlNode& root, Reading& reading) {
  Label label;
  const YamlNode* node = root.find("label");
  if (node == nullptr || !node->is_map()) {
    reading.error(node == nullptr ? root.at : node->at,
                  "label is missing: write label: {{column: NAME, classes: [a, b]}}");
    return label;
  }
  reading.check_keys(*node, "label", {"column", "classes", "aliases", "other", "description"});
  if (const YamlNode* column = node->find("column")) {
    label.column = reading.column(*column).value_or(ColumnRef());
  } else {
    reading.error(node->at, "label: column is missing");
  }
  const YamlNode* classes = node->find("classes");
  if (classes == nullptr) {
    reading.error(node->at,
                  "label: classes is missing; the classes are public and never taken from "
                  "the data");
    return label;
  }
  const auto names = reading.text_list(*classes, "classes");
  if (!names) return label;
  if (names->size() > Label::kMaxClasses) {
    reading.limit(classes->at, "label: more than {} classes", Label::kMaxClasses);
    return label;
  }
  const bool all_names = names->size() == classes->items.size();
  if (names->size() < 2 && all_names) {
    reading.error(classes->at, "label: at least two classes are needed");
  }
  for (const YamlNode* item : internal::repeated_texts(*classes)) {
    reading.error(item->at, "label: the class '{}' is listed twice", item->scalar);
  }
  label.classes = *names;
  for (std::size_t i = 0; i < label.classes.size(); ++i) {
    label.spellings.emplace_back(label.classes[i], ClassIndex(i));
  }
  internal::read_aliases(*node, label.classes, all_names, label.spellings, reading);
  if (const YamlNode* other = node->find("other")) {
    const auto found = std::find(label.classes.begin(), label.classes.end(), other->scalar);
    if (other->is_scalar() && found != label.classes.end()) {
      label.other_class = ClassIndex(static_cast<std::size_t>(found - label.classes.begin()));
      label.other_declared = true;
    } else if (all_names || !other->is_scalar()) {
      reading.error(other->at, "label: other should name one of the classes");
    }
  }
  return label;
}

std::optional<Person> read_person(const YamlNode& root, Reading& reading) {
  const YamlNode* node = root.find("person");
  if (node == nullptr) return std::nullopt;
  if (!node->is_map()) {
    reading.error(node->at, "person should be {{column: NAME, most_rows: 3}}");
    return std::nullopt;
  }
  reading.check_keys(*node, "person", {"column", "most_rows"});
  Person person;
  if (const YamlNode* column = node->find("column")) {
    person.column = reading.column(*column).value_or(ColumnRef());
  } else {
    reading.error(node->at, "person: column is missing");
  }
  const YamlNode* most = node->find("most_rows");
  if (most == nullptr) {
    reading.error(node->at,
                  "person: most_rows is missing: how many rows of one person are used, 1 to {}; "
                  "there is no default",
                  Person::kMostRows);
    return person;
  }
  const char* end = most->scalar.data() + most->scalar.size();
  const auto [stopped, code] = std::from_chars(most->scalar.data(), end, person.most_rows);
  if (!most->is_scalar() || code != std::errc() || stopped != end || person.most_rows < 1 ||
      person.most_rows > Person::kMostRows) {
    reading.error(most->at, "person: most_rows should be a whole number from 1 to {}",
                  Person::kMostRows);
  }
  return person;
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
                    "separator should be one character (\\t is a tab), or one character and a "
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

// Who reads a column: the label, the person or an attribute. From the file and not from the
// finished schema, so that a mistake elsewhere in an attribute does not hide that its column is
// taken.
struct ColumnUse {
  std::string user;
  Position at;
  ColumnRef column;
};

std::vector<ColumnUse> column_uses(const YamlNode& root, const YamlNode& attributes) {
  std::vector<ColumnUse> uses;
  for (const char* user : {"label", "person"}) {
    const YamlNode* node = root.find(user);
    const YamlNode* named = node == nullptr ? nullptr : node->find("column");
    if (named == nullptr) continue;
    if (auto column = Reading::column_of(*named)) {
      uses.push_back({std::string("the ") + user, named->at, std::move(*column)});
    }
  }
  for (std::size_t i = 0; i < attributes.keys.size(); ++i) {
    const YamlNode& name = attributes.keys[i];
    const YamlNode* named = attributes.items[i].find("column");
    auto column = named == nullptr ? ColumnRef(name.scalar) : Reading::column_of(*named);
    if (!name.is_scalar() || !attributes.items[i].is_map() || !column) continue;
    uses.push_back({"'" + name.scalar + "'", name.at, std::move(*column)});
  }
  return uses;
}

// A column has one reader, what is read is not ignored, and columns have names just where there is
// a header: a table without the header that its schema expects must not pass for one with it, or
// the cells of its first row would be taken for names.
void check_columns(const YamlNode& root, const YamlNode& attributes, const CsvFormat& csv,
                   Reading& reading) {
  const YamlNode* ignore = root.find("ignore");
  const auto is_ignored = [&](const std::string& name) {
    return ignore != nullptr &&
           std::any_of(ignore->items.begin(), ignore->items.end(), [&](const YamlNode& item) {
             return item.is_scalar() && item.scalar == name;
           });
  };
  std::map<ColumnRef, std::string> users;
  for (const ColumnUse& use : column_uses(root, attributes)) {
    const auto* name = std::get_if<std::string>(&use.column);
    const std::string position =
        name != nullptr ? "" : std::to_string(std::get<std::size_t>(use.column) + 1);
    const std::string shown = name != nullptr ? "'" + *name + "'" : position;
    const auto [found, is_new] = users.emplace(use.column, use.user);
    if (!is_new) reading.error(use.at, "column {} is already read for {}", shown, found->second);
    if (!csv.header && name != nullptr) {
      reading.error(use.at,
                    "csv has header: false, so say which column this is by its position: "
                    "column: 3");
    }
    if (csv.header && name == nullptr) {
      reading.error(use.at,
                    "a position is for files without a header; write the column's name, or csv: "
                    "{{header: false}} (with skip: 1 where a header is to be passed over)");
    }
    // Without a header a column's name is its position, for ignore too.
    if (is_ignored(name != nullptr ? *name : csv.header ? "" : position)) {
      reading.error(use.at, "column {} is read for {} and listed under ignore as well", shown,
                    use.user);
    }
  }
}

std::size_t columns_spoken_of(const Schema& schema) {
  std::size_t count = 0;
  const auto include = [&](const ColumnRef& column) {
    if (const auto* position = std::get_if<std::size_t>(&column)) {
      count = std::max(count, *position + 1);
    }
  };
  include(schema.label.column);
  if (schema.person) include(schema.person->column);
  for (const Attribute& attribute : schema.attributes) include(attribute.column);
  for (const std::string& ignored : schema.ignored_columns) {
    std::size_t position = 0;
    const auto [end, problem] =
        std::from_chars(ignored.data(), ignored.data() + ignored.size(), position);
    if (problem == std::errc() && end == ignored.data() + ignored.size()) {
      count = std::max(count, position);
    }
  }
  return count;
}

std::optional<Schema> read_root(const YamlNode& root, Reading& reading) {
  if (!root.is_map()) {
    reading.error(root.at, "{}",
                  root.is_null() ? "the file is empty" : "a schema begins with name:");
    return std::nullopt;
  }
  reading.check_keys(
      root, "a schema",
      {"name", "description", "source", "label", "person", "attributes", "ignore", "csv"});
  Schema schema;
  schema.name = read_name(root, reading);
  schema.description = reading.prose(root, "description");
  schema.source = reading.prose(root, "source");
  schema.csv = read_csv_format(root, reading);
  schema.label = read_label(root, reading);
  schema.person = read_person(root, reading);
  if (const YamlNode* ignore = root.find("ignore")) {
    if (auto names = reading.text_list(*ignore, "ignore")) {
      schema.ignored_columns = std::move(*names);
      for (const YamlNode* item : internal::repeated_texts(*ignore)) {
        reading.warning(item->at, "ignore: '{}' is listed twice", item->scalar);
      }
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
  check_columns(root, *attributes, schema.csv, reading);
  if (!schema.csv.header) schema.csv.columns = columns_spoken_of(schema);
  if (std::none_of(schema.attributes.begin(), schema.attributes.end(),
                   [](const Attribute& attribute) { return attribute.used; }) &&
      reading.error_count() == 0) {
    reading.error(attributes->at, "every attribute has use: false");
  }
  return schema;
}

// What has been refused while loading is said once: what the reader makes of its place is no news.
void drop_echoes(const Findings& refused, Findings& findings) {
  std::set<std::pair<int, int>> places;
  for (const Finding& finding : refused) places.emplace(finding.at.line, finding.at.column);
  const auto is_echo = [&](const Finding& finding) {
    return places.contains({finding.at.line, finding.at.column});
  };
  const auto first_of_reader = findings.begin() + static_cast<std::ptrdiff_t>(refused.size());
  findings.erase(std::remove_if(first_of_reader, findings.end(), is_echo), findings.end());
}

}  // namespace

SchemaReading read_schema_text(std::string_view yaml) {
  SchemaReading result;
  if (!is_valid_utf8(yaml)) {
    result.findings.push_back({Severity::kError, {}, "the file is not UTF-8 text"});
    return result;
  }
  const auto root = read_yaml(yaml, YamlLimits{}, result.findings);
  if (root) {
    const Findings refused = result.findings;
    Reading reading(result.findings);
    auto schema = read_root(*root, reading);
    if (reading.error_count() == 0) result.schema = std::move(schema);
    drop_echoes(refused, result.findings);
  }
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
                   });
  return result;
}

Status check_written_form(const Schema& schema) {
  const SchemaReading reading = read_schema_text(write_schema(schema));
  if (reading.schema && *reading.schema == schema) return {};
  for (const Finding& finding : reading.findings) {
    if (finding.severity != Severity::kError) continue;
    return make_error(finding.kind,
                      "this schema could not be read again from a release or a model, where it is "
                      "written out in full: {}",
                      finding.message);
  }
  return make_error(ErrorKind::kSchema,
                    "this schema would become another one in a release or a model; please report "
                    "it");
}

bool set_separator(std::string_view text, CsvFormat& csv) {
  if (text == "\\t") text = "\t";  // as a shell, and YAML without quotes, leave it
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
  const std::string message = shown_lines(finding.message);  // it may quote the file
  if (finding.at.line == 0) return fmt::format("{}: {}: {}", path, severity, message);
  return fmt::format("{}:{}:{}: {}: {}", path, finding.at.line, finding.at.column, severity,
                     message);
}

}  // namespace privpfc
