#include "privpfc/schema/interval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "privpfc/schema/number_text.h"

namespace privpfc {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

constexpr double kLargestWhole =
    9007199254740992.0;  // 2^53: every whole number up to here is exact

}  // namespace

std::optional<double> parse_value(std::string_view text, AttributeKind kind) {
  if (kind == AttributeKind::kDate) {
    const auto days = parse_date(text);
    return days ? std::optional<double>(static_cast<double>(*days)) : std::nullopt;
  }
  const auto number = parse_number(text);
  if (!number) return std::nullopt;
  if (kind == AttributeKind::kInteger &&
      (*number != std::floor(*number) || std::abs(*number) > kLargestWhole)) {
    return std::nullopt;
  }
  return *number == 0 ? 0.0 : *number;  // no negative zero
}

std::string format_value(double value, AttributeKind kind) {
  if (kind == AttributeKind::kDate) return format_date(static_cast<std::int64_t>(value));
  if (kind == AttributeKind::kInteger) return fmt::format("{}", static_cast<std::int64_t>(value));
  return format_number(value);
}

std::optional<Interval> parse_interval(std::string_view text, AttributeKind kind) {
  text = trimmed(text);
  if (text.size() < 5 || (text.front() != '(' && text.front() != '[') ||
      (text.back() != ')' && text.back() != ']')) {
    return std::nullopt;
  }
  const std::string_view inside = text.substr(1, text.size() - 2);
  const std::size_t comma = inside.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto low = parse_value(trimmed(inside.substr(0, comma)), kind);
  const auto high = parse_value(trimmed(inside.substr(comma + 1)), kind);
  if (!low || !high) return std::nullopt;
  Interval interval{*low, *high, text.front() == '[', text.back() == ']'};
  if (is_whole(kind)) {
    if (!interval.holds_low) interval.low += 1;
    if (!interval.holds_high) interval.high -= 1;
    interval.holds_low = interval.holds_high = true;
  }
  return interval;
}

std::string format_interval(const Interval& interval, AttributeKind kind) {
  return fmt::format("{}{}, {}{}", interval.holds_low ? '[' : '(', format_value(interval.low, kind),
                     format_value(interval.high, kind), interval.holds_high ? ']' : ')');
}

std::optional<std::size_t> bin_of(const Bins& bins, double value, AttributeKind kind) {
  const auto& edges = bins.edges;
  const Interval domain = bin_interval(bins, 0, bins.count(), kind);
  if (value < domain.low || value > domain.high) return std::nullopt;
  const auto inner_end = edges.end() - 1;
  const auto edge = bins.holds_upper_end ? std::lower_bound(edges.begin() + 1, inner_end, value)
                                         : std::upper_bound(edges.begin() + 1, inner_end, value);
  return static_cast<std::size_t>(edge - edges.begin()) - 1;
}

Interval bin_interval(const Bins& bins, std::size_t begin, std::size_t end, AttributeKind kind) {
  if (is_whole(kind)) return {bins.edges[begin], bins.edges[end] - 1, true, true};
  return {bins.edges[begin], bins.edges[end], begin == 0 || !bins.holds_upper_end,
          end == bins.count() || bins.holds_upper_end};
}

}  // namespace privpfc
