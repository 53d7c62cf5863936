#include "privpfc/privacy/bernoulli_exp.h"

#include "privpfc/base/contract.h"
#include "privpfc/privacy/uniform.h"

namespace privpfc {

bool bernoulli(BitSource& bits, Uint128 n, Uint128 d) {
  require(n <= d, "bernoulli: a probability is at most one");
  return uniform_below_wide(bits, d) < n;
}

namespace {

// For n <= d. The k-th trial succeeds with probability n/(dk); it is made of two independent ones,
// n/d and 1/k, because the product dk might not fit.
bool bernoulli_exp_of_at_most_one(BitSource& bits, Uint128 n, Uint128 d) {
  std::uint64_t k = 1;
  while (uniform_below(bits, k) == 0 && bernoulli(bits, n, d)) ++k;
  return k % 2 == 1;
}

}  // namespace

bool bernoulli_exp(BitSource& bits, Uint128 n, Uint128 d) {
  require(d > 0, "bernoulli_exp: the denominator is positive");
  // exp(-n/d) = exp(-1) * exp(-(n-d)/d). However large n is, this ends at the first failure.
  while (n > d) {
    if (!bernoulli_exp_of_at_most_one(bits, 1, 1)) return false;
    n -= d;
  }
  return bernoulli_exp_of_at_most_one(bits, n, d);
}

}  // namespace privpfc
