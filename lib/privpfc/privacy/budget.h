#pragma once

#include <span>
#include <vector>

#include "privpfc/privacy/epsilon.h"

namespace privpfc {

// Epsilon that was withdrawn and may be spent once. It cannot be copied; a mechanism takes it by
// value. What was withdrawn counts as spent, also when the object is dropped unused: there is no
// way to pay it back. Using one that was moved from, or spent, stops the program.
class Budget {
 public:
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  Budget(Budget&& other) noexcept;
  Budget& operator=(Budget&&) = delete;  // would drop what was there without a word
  ~Budget() = default;

  Epsilon epsilon() const;  // what is left

  // Takes a part out of this one. Requires: nothing < part <= epsilon().
  Budget take(Epsilon part);

  // Consumes this one; the parts sum to it exactly. See Epsilon::split.
  std::vector<Budget> split(std::span<const std::uint64_t> shares) &&;

  // Consumes this one and says how much it was. The mechanisms end with this.
  Epsilon spend() &&;

 private:
  friend class BudgetSource;
  explicit Budget(Epsilon epsilon) : left_(epsilon) {}

  Epsilon left_;  // nothing: moved from or used up
};

// Who may issue budgets: the ledger, which writes the debit down first. A test lists every class
// that derives from this.
class BudgetSource {
 protected:
  BudgetSource() = default;
  BudgetSource(const BudgetSource&) = default;
  BudgetSource& operator=(const BudgetSource&) = default;
  ~BudgetSource() = default;

  // Requires: amount > 0, and recorded as spent.
  static Budget issue(Epsilon amount);
};

}  // namespace privpfc
