#pragma once

#include <string_view>

#include "privpfc/privacy/budget.h"

namespace privpfc {

inline Epsilon eps(std::string_view text) {
  return Epsilon::parse(text).value();
}

// Budgets out of thin air, for tests.
class TestBudget : BudgetSource {
 public:
  static Budget of(Epsilon epsilon, Delta delta = {}) { return issue(epsilon, delta); }
  static Budget of(std::string_view text) { return issue(eps(text)); }
};

}  // namespace privpfc
