#include "privpfc/table/column_match.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

namespace privpfc {

namespace {

constexpr std::size_t kShownNames = 5;

std::string quoted_list(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), kShownNames);
  std::string list = fmt::format("'{}'", fmt::join(names.first(shown), "', '"));
  if (shown < names.size()) list += fmt::format(" and {} more", names.size() - shown);
  return list;
}

std::string name_of(const ColumnRef& column) {
  if (const auto* name = std::get_if<std::string>(&column)) return *name;
  return fmt::format("{}", std::get<std::size_t>(column) + 1);
}

}  // namespace

ColumnMatch match_columns(const Schema& schema, std::span<const InputColumn> columns) {
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

  for (const Attribute& attribute : schema.attributes) {
    match.attributes.push_back(find(attribute.column));
    if (!match.attributes.back() && attribute.used) {
      match.missing.push_back(name_of(attribute.column));
    }
  }
  if (schema.person) {
    match.person = find(schema.person->column);
    if (!match.person) match.missing.push_back(name_of(schema.person->column));
  }
  match.label = find(schema.label.column);
  if (!match.label) match.missing.push_back(name_of(schema.label.column));
  for (const std::string& ignored : schema.ignored_columns) find(ignored);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!declared[i]) match.undeclared.push_back(columns[i].name);
  }
  return match;
}

Status check_columns(const ColumnMatch& match, bool ignore_extra_columns,
                     std::span<const std::string> allowed) {
  if (!match.missing.empty()) {
    return make_error(
        ErrorKind::kData,
        "the data has no {} {}; check the schema's column names, and whether the file "
        "has a header (csv: {{header: false}})",
        match.missing.size() == 1 ? "column" : "columns", quoted_list(match.missing));
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
