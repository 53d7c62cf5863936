#pragma once

#include "privpfc/privacy/budget.h"

namespace privpfc {

// An audit has no ledger: its tables are made up, or may be seen in full, and nothing that it draws
// is passed on.
class AuditBudget : BudgetSource {
 public:
  static Budget of(Epsilon epsilon, Delta delta = {}) { return issue(epsilon, delta); }
};

}  // namespace privpfc
