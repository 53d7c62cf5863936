#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace privpfc {

// Numbers and dates as text, the same in every locale.

// A finite decimal number; nothing before or after it.
std::optional<double> parse_number(std::string_view text);

// `2024-01-31` as days since 1970-01-01.
std::optional<std::int64_t> parse_date(std::string_view text);

// The shortest text that reads back as the same number.
std::string format_number(double number);
std::string format_date(std::int64_t days);

}  // namespace privpfc
