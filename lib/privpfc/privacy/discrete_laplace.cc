#include "privpfc/privacy/discrete_laplace.h"

#include <numeric>

#include "privpfc/base/contract.h"
#include "privpfc/privacy/bernoulli_exp.h"
#include "privpfc/privacy/uniform.h"

namespace privpfc {

Decay decay_of(Epsilon epsilon, L1Sensitivity sensitivity) {
  require(epsilon.units() > 0, "noise needs a positive epsilon");
  // Fits: the sensitivity is at most 2^32 and there are 10^9 units in one.
  const std::uint64_t t = Epsilon::kUnitsPerOne * sensitivity.value();
  const std::uint64_t common = std::gcd(epsilon.units(), t);
  return Decay{epsilon.units() / common, t / common};
}

Uint128 sample_geometric(BitSource& bits, Decay decay) {
  std::uint64_t u = 0;
  do {
    u = uniform_below(bits, decay.t);
  } while (!bernoulli_exp(bits, u, decay.t));
  std::uint64_t v = 0;
  while (bernoulli_exp(bits, 1, 1)) ++v;
  return (u + static_cast<Uint128>(decay.t) * v) / decay.s;
}

Int128 sample_discrete_laplace(BitSource& bits, Decay decay) {
  for (;;) {
    const bool negative = bits.bits(1) == 1;
    const auto magnitude = static_cast<Int128>(sample_geometric(bits, decay));
    if (negative && magnitude == 0) continue;  // zero would count twice
    return negative ? -magnitude : magnitude;
  }
}

}  // namespace privpfc
