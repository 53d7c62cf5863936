#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace privpfc {

// Why a text in the first line of a CSV file is more likely a cell than a column's name. Where one
// is, the file may have no header, and what was read as names may be private.
enum class NameDoubt {
  kValue,      // a number, date, address, code, "?", long text, ...; or empty
  kSeparator,  // holds the separator of another dialect: a whole row may have become one name
  kRepeated,   // the name of another column
};

// None for what could be a name. It begins with a letter of any script, or an underscore. Words
// pass: nobody can tell the name of a person from that of a column.
std::optional<NameDoubt> doubt_about_name(std::string_view text);

struct UnlikelyName {
  std::size_t position = 0;  // counted from 1
  NameDoubt doubt = NameDoubt::kValue;
  friend bool operator==(const UnlikelyName&, const UnlikelyName&) = default;
};

// The first column with an unlikely name.
std::optional<UnlikelyName> first_unlikely_name(std::span<const std::string> names);

}  // namespace privpfc
