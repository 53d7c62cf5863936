#pragma once

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/epsilon.h"
#include "privpfc/privacy/sensitivity.h"
#include "privpfc/privacy/uint128.h"

namespace privpfc {

// How fast the noise falls off: alpha = exp(-s/t), in lowest terms, s/t = epsilon / sensitivity.
struct Decay {
  std::uint64_t s;
  std::uint64_t t;
};

// Requires: epsilon > 0. Ensures: exactly their quotient.
Decay decay_of(Epsilon epsilon, L1Sensitivity sensitivity);

// Ensures: P[G = g] = (1 - alpha) alpha^g for g = 0, 1, 2, ...
Uint128 sample_geometric(BitSource& bits, Decay decay);

// Ensures: P[Z = z] = (1 - alpha)/(1 + alpha) alpha^|z| for every integer z. Proof:
// discrete_laplace.md. For many draws LaplaceTable has the same law and is faster.
Int128 sample_discrete_laplace(BitSource& bits, Decay decay);

}  // namespace privpfc
