#include "privpfc/pipeline/budget_plan.h"

#include <algorithm>
#include <array>
#include <optional>

#include "privpfc/schema/schema.h"

namespace privpfc {
namespace {

// "29.1" as 29100. A point has a digit on either side.
std::optional<std::uint64_t> parse_percentage(std::string_view text) {
  std::uint64_t value = 0;
  int decimals = -1;  // none seen yet
  if (text.empty() || text.size() > 8) return std::nullopt;
  if (text.front() == '.' || text.back() == '.') return std::nullopt;
  for (const char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
    } else if (c >= '0' && c <= '9' && decimals < 3) {
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
      if (decimals >= 0) ++decimals;
    } else {
      return std::nullopt;
    }
  }
  for (int i = decimals < 0 ? 0 : decimals; i < 3; ++i) value *= 10;
  return value;
}

}  // namespace

Result<std::vector<std::uint64_t>> parse_percentages(std::string_view text, std::size_t count) {
  std::vector<std::uint64_t> parts;
  std::uint64_t sum = 0;
  for (std::string_view rest = text; parts.size() <= count;) {
    const std::size_t comma = rest.find(',');
    const auto part = parse_percentage(rest.substr(0, comma));
    if (!part) {
      return make_error(ErrorKind::kUsage,
                        "'{}' is not a list of percentages with at most three decimals", text);
    }
    parts.push_back(*part);
    sum += *part;
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (parts.size() != count) {
    return make_error(ErrorKind::kUsage, "'{}' should be {} percentages", text, count);
  }
  if (sum != Shares::kWhole) {
    return make_error(ErrorKind::kUsage, "the shares '{}' add up to {}.{:03} %, not to 100 %", text,
                      sum / 1000, sum % 1000);
  }
  return parts;
}

Result<std::uint64_t> parse_percentage_below_100(std::string_view text) {
  const auto value = parse_percentage(text);
  if (!value || *value == 0 || *value >= Shares::kWhole) {
    return make_error(ErrorKind::kUsage, "'{}' is not a percentage above 0 and below 100", text);
  }
  return *value;
}

Status check_shares(const Shares& shares) {
  const bool plain = shares.classes + shares.selection + shares.histogram == Shares::kWhole;
  const bool with_features = shares.classes + shares.features + shares.selection_after_features +
                                 shares.histogram_after_features ==
                             Shares::kWhole;
  // None above the whole, so that the sums above cannot have passed the end of 64 bits.
  const std::array steps{shares.classes,
                         shares.selection,
                         shares.histogram,
                         shares.features,
                         shares.selection_after_features,
                         shares.histogram_after_features};
  const bool sensible = std::all_of(steps.begin(), steps.end(), [](std::uint64_t share) {
    return 0 < share && share < Shares::kWhole;
  });
  if (!plain || !with_features || !sensible || shares.columns >= Shares::kWhole) {
    return make_error(ErrorKind::kUsage,
                      "the shares of epsilon should be above zero and add up to 100 %, with and "
                      "without feature selection, and the class counts' share the same in both");
  }
  return {};
}

Result<BudgetPlan> plan_budget(Epsilon total, const Shares& shares, bool with_features) {
  BudgetPlan plan;
  Epsilon rest = total;
  if (shares.columns > 0) {
    const std::array<std::uint64_t, 2> parts{shares.columns, Shares::kWhole - shares.columns};
    plan.columns = total.split(parts)[0];
    rest = total - plan.columns;
  }
  const std::array<std::uint64_t, 2> first{shares.classes, Shares::kWhole - shares.classes};
  plan.classes = rest.split(first)[0];
  rest = rest - plan.classes;
  if (with_features) {
    const std::array<std::uint64_t, 3> parts{shares.features, shares.selection_after_features,
                                             shares.histogram_after_features};
    const std::vector<Epsilon> split = rest.split(parts);
    plan.features = split[0];
    plan.selection = split[1];
    plan.histogram = split[2];
  } else {
    const std::array<std::uint64_t, 2> parts{shares.selection, shares.histogram};
    const std::vector<Epsilon> split = rest.split(parts);
    plan.selection = split[0];
    plan.histogram = split[1];
  }
  // Features and columns are divided once more, among attributes; none may be left with nothing.
  const bool too_small = plan.classes.units() == 0 || plan.selection.units() == 0 ||
                         plan.histogram.units() == 0 ||
                         (with_features && plan.features.units() < Schema::kMaxAttributes) ||
                         (shares.columns > 0 && plan.columns.units() < Schema::kMaxAttributes);
  if (too_small) {
    return make_error(ErrorKind::kUsage,
                      "epsilon {} is too small to be shared among the steps of a release",
                      total.to_string());
  }
  return plan;
}

}  // namespace privpfc
