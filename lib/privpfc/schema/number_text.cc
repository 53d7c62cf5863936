#include "privpfc/schema/number_text.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>

namespace privpfc {

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<std::int64_t> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto field = [&](std::size_t begin, std::size_t length) {
    int value = -1;
    const char* first = text.data() + begin;
    const auto [stopped, error] = std::from_chars(first, first + length, value);
    return error == std::errc() && stopped == first + length ? value : -1;
  };
  const int year = field(0, 4);
  const int month = field(5, 2);
  const int day = field(8, 2);
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string format_number(double number) {
  return fmt::format("{}", number);
}

std::string format_date(std::int64_t days) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace privpfc
