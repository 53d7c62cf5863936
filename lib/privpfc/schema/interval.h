#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "privpfc/schema/attribute.h"

namespace privpfc {

// A stretch of numbers. For whole-number kinds (integer, date) it is always closed at both ends.
struct Interval {
  double low = 0;
  double high = 0;
  bool holds_low = true;
  bool holds_high = true;
  friend bool operator==(const Interval&, const Interval&) = default;
};

constexpr bool is_whole(AttributeKind kind) {
  return kind == AttributeKind::kInteger || kind == AttributeKind::kDate;
}

// The text of one value of a numeric kind, and back. Dates are days since 1970-01-01.
std::optional<double> parse_value(std::string_view text, AttributeKind kind);
std::string format_value(double value, AttributeKind kind);

// Interval notation: `(14, 20]`, `[0, 1)`. Whole-number kinds are turned into their closed form:
// `(14, 20]` is 15 to 20.
std::optional<Interval> parse_interval(std::string_view text, AttributeKind kind);
std::string format_interval(const Interval& interval, AttributeKind kind);

// The interval of bin `index`; and of the bins `begin` to `end` (one past the last) taken together.
Interval bin_interval(const Bins& bins, std::size_t begin, std::size_t end, AttributeKind kind);

// The bin that holds a value; none if it is outside the domain.
std::optional<std::size_t> bin_of(const Bins& bins, double value, AttributeKind kind);

}  // namespace privpfc
