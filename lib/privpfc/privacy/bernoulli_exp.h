#pragma once

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/uint128.h"

namespace privpfc {

// Requires: n <= d, d > 0. Ensures: true with probability exactly n/d.
bool bernoulli(BitSource& bits, Uint128 n, Uint128 d);

// Requires: d > 0. Ensures: true with probability exactly exp(-n/d), for every n and d that fit.
// Proof: bernoulli_exp.md.
bool bernoulli_exp(BitSource& bits, Uint128 n, Uint128 d);

}  // namespace privpfc
