#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/epsilon.h"
#include "privpfc/privacy/sensitivity.h"

namespace privpfc {

// Which end of the scores wins.
enum class Better { kLower, kHigher };

// How the winner is drawn. Permute-and-flip is never worse in expected score.
enum class Rule { kPermuteAndFlip, kExponential };

// How much weight the distance to the best score has: a candidate with gap g stands for
// exp(-g epsilon / range). Lists may be as long as 2^32 - 1; any int64 scores will do.
struct Sharpness {
  Epsilon epsilon;
  ScoreRange range;
};

// Require: scores is not empty, epsilon > 0. Ensure, with w_r = exp(-gap_r epsilon / range):
//   exponential_choice: P[r] = w_r / sum of all w
//   permute_and_flip:   in a uniformly random order, the first r whose coin of bias w_r shows heads
// Proof: selection.md.
std::size_t exponential_choice(BitSource& bits, std::span<const std::int64_t> scores, Better better,
                               Sharpness sharpness);
std::size_t permute_and_flip(BitSource& bits, std::span<const std::int64_t> scores, Better better,
                             Sharpness sharpness);

}  // namespace privpfc
