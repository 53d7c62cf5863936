#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace privpfc {

// How numbers and dates in a data file are read, in any locale. Blanks around them do not matter.

// A whole number of at most 18 digits, the common case. Nothing: try read_real().
inline std::optional<std::int64_t> read_short_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || digits.size() > 18) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<unsigned char>(c - '0');
    if (digit > 9) return std::nullopt;
    value = value * 10 + digit;
  }
  return negative ? -value : value;
}

// A plain decimal of at most 15 digits, `-12.75`: exact as a quotient of two whole numbers.
// Nothing: try read_real().
inline std::optional<double> read_short_decimal(std::string_view text) {
  constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = text.starts_with('-');
  const std::string_view number = text.substr(negative ? 1 : 0);
  const std::size_t point = number.find('.');
  if (point == std::string_view::npos || number.size() < 2 || number.size() > 16) {
    return std::nullopt;
  }
  std::int64_t digits = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (i == point) continue;
    const auto digit = static_cast<unsigned char>(number[i] - '0');
    if (digit > 9) return std::nullopt;
    digits = digits * 10 + digit;
  }
  const double value = static_cast<double>(digits) / kPowers[number.size() - 1 - point];
  return negative ? -value : value;
}

// Any number: `-1.5e3`, `+7`, `inf`, `nan`. Too large becomes infinite, too small becomes 0.
std::optional<double> read_real(std::string_view text);

// `2024-01-31`, also with a time of day behind it (`2024-01-31T12:00`), as days since 1970-01-01.
std::optional<std::int32_t> read_days(std::string_view text);

}  // namespace privpfc
