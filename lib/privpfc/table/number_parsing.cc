#include "privpfc/table/number_parsing.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>

namespace privpfc {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// std::from_chars says only "out of range". Which way, the first digit that is not 0 tells: its
// place before or behind the point, moved by the exponent.
bool is_huge(std::string_view number) {
  std::int64_t place = 0;
  bool seen_point = false, seen_digit = false;
  std::size_t i = 0;
  for (; i < number.size() && (is_digit(number[i]) || number[i] == '.'); ++i) {
    if (number[i] == '.') {
      seen_point = true;
    } else if (seen_digit || number[i] != '0') {
      seen_digit = true;
      if (!seen_point) ++place;
    } else if (seen_point) {
      --place;
    }
  }
  std::int64_t exponent = 0;
  if (i < number.size()) {
    std::string_view digits = number.substr(i + 1);
    const bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+')) digits.remove_prefix(1);
    for (const char c : digits)
      exponent = std::min<std::int64_t>(exponent * 10 + (c - '0'), 1 << 30);
    if (negative) exponent = -exponent;
  }
  return place + exponent > 0;
}

std::optional<unsigned> fixed_digits(std::string_view text, std::size_t first, std::size_t count) {
  unsigned value = 0;
  for (const char c : text.substr(first, count)) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

}  // namespace

std::optional<double> read_real(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) return std::nullopt;
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (rest != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const bool negative = text.starts_with('-');
    if (!is_huge(text.substr(negative ? 1 : 0))) return 0.0;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return negative ? -kInfinity : kInfinity;
  }
  return value;
}

std::optional<std::int32_t> read_days(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  if (text.size() > 10) {
    // A time of day is not looked at further than to see that it is one.
    if (text.size() < 13 || (text[10] != 'T' && text[10] != ' ')) return std::nullopt;
    if (!is_digit(text[11]) || !is_digit(text[12])) return std::nullopt;
  }
  const auto year = fixed_digits(text, 0, 4);
  const auto month = fixed_digits(text, 5, 2);
  const auto day = fixed_digits(text, 8, 2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count());
}

}  // namespace privpfc
