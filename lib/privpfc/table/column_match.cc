#include "privpfc/table/column_match.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "privpfc/base/shown_text.h"
#include "privpfc/schema/unit.h"

namespace privpfc {

namespace {

constexpr std::size_t kShownNames = 5;

std::string quoted_list(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), kShownNames);
  std::vector<std::string> texts;
  for (const std::string& name : names.first(shown)) texts.push_back(shown_text(name));
  std::string list = fmt::format("'{}'", fmt::join(texts, "', '"));
  if (shown < names.size()) list += fmt::format(" and {} more", names.size() - shown);
  return list;
}

std::string advice_on(const Schema& schema, std::span<const InputColumn> columns,
                      bool header_recognised) {
  if (!columns.empty() && !columns.front().in_csv) return "check the schema's column names";
  if (columns.size() == 1 && !header_recognised) {
    return fmt::format(
        "the file seems to have one column only: is the separator right? It is read with '{}'; the "
        "schema may name another (csv: {{separator: \";\"}})",
        shown_text({&schema.csv.separator, 1}));
  }
  return "check the schema's column names, and whether the file has a header (csv: {header: "
         "false})";
}

}  // namespace

ColumnMatch match_columns(const Schema& schema, std::span<const InputColumn> columns,
                          const ColumnNeeds& needs) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < columns.size(); ++i) positions.emplace(columns[i].name, i);
  std::vector<bool> declared(columns.size());
  ColumnMatch match;

  const auto find = [&](const ColumnRef& column) -> std::optional<std::size_t> {
    std::optional<std::size_t> position;
    if (const auto* name = std::get_if<std::string>(&column)) {
      if (const auto found = positions.find(*name); found != positions.end()) {
        position = found->second;
        match.header_recognised = true;
      }
    } else if (std::get<std::size_t>(column) < columns.size()) {
      position = std::get<std::size_t>(column);
    }
    if (position) declared[*position] = true;
    return position;
  };

  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    const Attribute& attribute = schema.attributes[i];
    match.attributes.push_back(find(attribute.column));
    const bool needed =
        !needs.attributes || std::ranges::count(*needs.attributes, AttributeIndex(i));
    if (!match.attributes.back() && attribute.used && needed) {
      match.missing.push_back(column_name(attribute.column));
    }
  }
  if (schema.person) {
    match.person = find(schema.person->column);
    if (!match.person && needs.person) match.missing.push_back(column_name(schema.person->column));
  }
  match.label = find(schema.label.column);
  if (!match.label && needs.label) match.missing.push_back(column_name(schema.label.column));
  for (const std::string& ignored : schema.ignored_columns) find(ignored);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!declared[i]) match.undeclared.push_back(columns[i].name);
  }
  match.advice = advice_on(schema, columns, match.header_recognised);
  return match;
}

Status check_columns(const ColumnMatch& match, bool ignore_extra_columns,
                     std::span<const std::string> allowed) {
  if (!match.missing.empty()) {
    return make_error(ErrorKind::kData, "the data has no {} {}; {}",
                      match.missing.size() == 1 ? "column" : "columns", quoted_list(match.missing),
                      match.advice);
  }
  if (ignore_extra_columns) return {};
  std::vector<std::string> refused;
  for (const std::string& name : match.undeclared) {
    if (std::ranges::find(allowed, name) == allowed.end()) refused.push_back(name);
  }
  if (refused.empty()) return {};
  return make_error(
      ErrorKind::kData,
      "the schema does not name the {} {}; declare {} (use: false, or ignore), or give "
      "--ignore-extra-columns",
      refused.size() == 1 ? "column" : "columns", quoted_list(refused),
      refused.size() == 1 ? "it" : "them");
}

}  // namespace privpfc
