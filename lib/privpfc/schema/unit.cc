#include "privpfc/schema/unit.h"

#include <fmt/format.h>

namespace privpfc {
namespace {

constexpr const char* kPerPerson = ", per person";

}  // namespace

std::string column_name(const ColumnRef& column) {
  if (const auto* name = std::get_if<std::string>(&column)) return *name;
  return fmt::format("{}", std::get<std::size_t>(column) + 1);
}

std::string unit_name(const Schema& schema) {
  return schema.person ? "one person" : "one row";
}

std::string unit_in_words(const Schema& schema) {
  if (!schema.person) return unit_name(schema);
  const Person& person = *schema.person;
  const bool by_name = std::holds_alternative<std::string>(person.column);
  return fmt::format("{} (all rows with the same {}{}; at most {} {} used)", unit_name(schema),
                     by_name ? "" : "value in column ", column_name(person.column),
                     person.most_rows, person.most_rows == 1 ? "is" : "are");
}

std::string rows_of_unit(const Schema& schema) {
  return schema.person ? "all rows of one person" : "one row";
}

std::string purpose_by_unit(const std::string& command, const Schema& schema) {
  return schema.person ? command + kPerPerson : command;
}

bool is_per_person(std::string_view purpose) {
  return purpose.ends_with(kPerPerson);
}

}  // namespace privpfc
