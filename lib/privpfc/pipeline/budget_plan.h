#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/privacy/epsilon.h"

namespace privpfc {

// How epsilon is shared out, in thousandths of a percent. The first list is for a release whose
// pool fits as it is; the second when features must be selected first. Both begin with the class
// counts' share, because that step comes before it is known which list applies.
struct Shares {
  static constexpr std::uint64_t kWhole = 100'000;

  std::uint64_t classes = 3'000;
  std::uint64_t selection = 37'000;
  std::uint64_t histogram = 60'000;

  std::uint64_t features = 29'100;
  std::uint64_t selection_after_features = 29'100;
  std::uint64_t histogram_after_features = 38'800;

  // Of the whole, before all others: what the columns outside the grid cost. 0 without
  // --all-columns.
  std::uint64_t columns = 0;
};

// "3,37,60": percentages with at most three decimals that add up to 100 exactly.
Result<std::vector<std::uint64_t>> parse_percentages(std::string_view text, std::size_t count);

// "10": one percentage above 0 and below 100.
Result<std::uint64_t> parse_percentage_below_100(std::string_view text);

// Says which list does not add up, if one does not.
Status check_shares(const Shares& shares);

// Epsilon by step; the steps sum to the whole exactly.
struct BudgetPlan {
  Epsilon columns;
  Epsilon classes;
  Epsilon features;  // nothing where no features are selected
  Epsilon selection;
  Epsilon histogram;
};

// Requires check_shares. The class counts' and the columns' parts do not depend on `with_features`.
// An error when epsilon is so small that a step, or an attribute's part of one, would get nothing.
Result<BudgetPlan> plan_budget(Epsilon total, const Shares& shares, bool with_features);

}  // namespace privpfc
