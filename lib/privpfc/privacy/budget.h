#pragma once

#include <span>
#include <vector>

#include "privpfc/privacy/delta.h"
#include "privpfc/privacy/epsilon.h"

namespace privpfc {

// What one or several mechanisms cost.
struct PrivacyLoss {
  Epsilon epsilon;
  Delta delta;
};

// Epsilon (and a delta, if there is one) that was withdrawn and may be spent once. It cannot be
// copied; a mechanism takes it by value. What was withdrawn counts as spent, also when the object
// is dropped unused: there is no way to pay it back. Using one that was moved from, or spent, stops
// the program.
class Budget {
 public:
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  Budget(Budget&& other) noexcept;
  Budget& operator=(Budget&&) = delete;  // would drop what was there without a word
  ~Budget() = default;

  Epsilon epsilon() const;  // what is left
  Delta delta() const;      // nothing, unless it was withdrawn as well

  // Takes a part out of this one; a delta stays. Requires: nothing < part <= epsilon().
  Budget take(Epsilon part);

  // Consumes this one; the parts sum to it exactly. See Epsilon::split.
  // Requires that there is no delta: who gets it must be said.
  std::vector<Budget> split(std::span<const std::uint64_t> shares) &&;

  // The same with a delta, which has shares of its own.
  std::vector<Budget> split(std::span<const std::uint64_t> shares,
                            std::span<const std::uint64_t> delta_shares) &&;

  // Consumes this one and says how much it was. The mechanisms end with one of these; a pure one
  // has no use for a delta, and requires that there is none.
  Epsilon spend() &&;
  PrivacyLoss spend_with_delta() &&;

 private:
  friend class BudgetSource;
  Budget(Epsilon epsilon, Delta delta) : left_(epsilon), delta_(delta) {}

  Epsilon left_;  // nothing: moved from or used up
  Delta delta_;
};

// Who may issue budgets: the ledger, which writes the debit down first. A test lists every class
// that derives from this.
class BudgetSource {
 protected:
  BudgetSource() = default;
  BudgetSource(const BudgetSource&) = default;
  BudgetSource& operator=(const BudgetSource&) = default;
  ~BudgetSource() = default;

  // Requires: amount > 0, and recorded as spent; so is the delta.
  static Budget issue(Epsilon amount, Delta delta = {});
};

}  // namespace privpfc
