#pragma once

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/uint128.h"

namespace privpfc {

// Requires: limit > 0. Ensures: uniform on {0, ..., limit - 1}. Proof: bernoulli_exp.md.
std::uint64_t uniform_below(BitSource& bits, std::uint64_t limit);
Uint128 uniform_below_wide(BitSource& bits, Uint128 limit);

}  // namespace privpfc
