#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/epsilon.h"
#include "privpfc/privacy/sensitivity.h"

namespace privpfc {

// Requires: epsilon > 0. Ensures: every count, the empty ones too, plus discrete Laplace noise of
// its own with alpha = exp(-epsilon / sensitivity); a sum outside int64 is moved to its nearest
// end. Proof: noisy_counts.md.
std::vector<std::int64_t> add_noise(BitSource& bits, std::span<const std::int64_t> counts,
                                    L1Sensitivity sensitivity, Epsilon epsilon);

}  // namespace privpfc
