#include "privpfc/privacy/budget.h"

#include <utility>

#include "privpfc/base/contract.h"

namespace privpfc {

Budget::Budget(Budget&& other) noexcept : left_(std::exchange(other.left_, Epsilon())) {}

Epsilon Budget::epsilon() const {
  require(left_ > Epsilon(), "this budget was spent or moved away");
  return left_;
}

Budget Budget::take(Epsilon part) {
  require(part > Epsilon() && part <= epsilon(), "this budget does not hold that much");
  left_ = left_ - part;
  return Budget(part);
}

std::vector<Budget> Budget::split(std::span<const std::uint64_t> shares) && {
  const Epsilon whole = std::move(*this).spend();
  std::vector<Budget> parts;
  for (const Epsilon part : whole.split(shares)) parts.push_back(Budget(part));
  return parts;
}

Epsilon Budget::spend() && {
  const Epsilon all = epsilon();
  left_ = Epsilon();
  return all;
}

Budget BudgetSource::issue(Epsilon amount) {
  require(amount > Epsilon(), "a budget of nothing");
  return Budget(amount);
}

}  // namespace privpfc
