#pragma once

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/uint128.h"

namespace privpfc {

// Ensures: P[Z = z] in proportion to 1 / (1 + z^2 / scale^2) for every integer z; what lies beyond
// 2^100 is moved there. Requires: 0 < scale <= 2^100. Proof: discrete_cauchy.md.
Int128 sample_discrete_cauchy(BitSource& bits, Uint128 scale);

}  // namespace privpfc
