#pragma once

#include "privpfc/privacy/budget.h"

namespace privpfc {

// An experiment has no ledger: nothing that it makes is passed on.
class ExperimentBudget : BudgetSource {
 public:
  static Budget of(Epsilon epsilon, Delta delta = {}) { return issue(epsilon, delta); }
};

}  // namespace privpfc
