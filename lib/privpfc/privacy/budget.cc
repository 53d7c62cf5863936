#include "privpfc/privacy/budget.h"

#include <utility>

#include "privpfc/base/contract.h"

namespace privpfc {

Budget::Budget(Budget&& other) noexcept
    : left_(std::exchange(other.left_, Epsilon())), delta_(std::exchange(other.delta_, Delta())) {}

Epsilon Budget::epsilon() const {
  require(left_ > Epsilon(), "this budget was spent or moved away");
  return left_;
}

Delta Budget::delta() const {
  require(left_ > Epsilon(), "this budget was spent or moved away");
  return delta_;
}

Budget Budget::take(Epsilon part) {
  require(part > Epsilon() && part <= epsilon(), "this budget does not hold that much");
  left_ = left_ - part;
  return Budget(part, Delta());
}

std::vector<Budget> Budget::split(std::span<const std::uint64_t> shares) && {
  const Epsilon whole = std::move(*this).spend();
  std::vector<Budget> parts;
  for (const Epsilon part : whole.split(shares)) parts.push_back(Budget(part, Delta()));
  return parts;
}

std::vector<Budget> Budget::split(std::span<const std::uint64_t> shares,
                                  std::span<const std::uint64_t> delta_shares) && {
  require(shares.size() == delta_shares.size(), "every part has a share of the delta, or none");
  const PrivacyLoss whole = std::move(*this).spend_with_delta();
  const std::vector<Epsilon> epsilons = whole.epsilon.split(shares);
  const std::vector<Delta> deltas = whole.delta.split(delta_shares);
  std::vector<Budget> parts;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    parts.push_back(Budget(epsilons[i], deltas[i]));
  }
  return parts;
}

Epsilon Budget::spend() && {
  const PrivacyLoss all = std::move(*this).spend_with_delta();
  require(all.delta == Delta(), "a delta for something that has no use for it");
  return all.epsilon;
}

PrivacyLoss Budget::spend_with_delta() && {
  const PrivacyLoss all{epsilon(), delta_};
  left_ = Epsilon();
  delta_ = Delta();
  return all;
}

Budget BudgetSource::issue(Epsilon amount, Delta delta) {
  require(amount > Epsilon(), "a budget of nothing");
  return Budget(amount, delta);
}

}  // namespace privpfc
