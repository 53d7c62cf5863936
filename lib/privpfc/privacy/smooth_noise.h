#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/delta.h"
#include "privpfc/privacy/epsilon.h"
#include "privpfc/privacy/uint128.h"

namespace privpfc {

// A private number and a private bound on how far one row can move it. Requires, for the numbers of
// two neighbouring tables: |value - value'| <= min(bound, bound'), and bound <= e^beta bound'.
struct SmoothValue {
  std::int64_t value = 0;
  std::uint64_t bound = 0;

  static constexpr std::uint64_t kMostBound = 1ULL << 48;
  friend bool operator==(const SmoothValue&, const SmoothValue&) = default;
};

// How fast the bounds may change from table to table: beta, in billionths.
struct Smoothness {
  Epsilon beta;
};

// What rounding a scale up to a whole number adds to beta, for scales of at least kLeastScale.
inline constexpr std::uint64_t kLeastScale = 1ULL << 20;
inline constexpr std::uint64_t kRoundingUnits = 954;  // of 10^-9: at least 1/kLeastScale

// Whether there is noise for these: for Cauchy noise beta (with rounding) is below epsilon; for
// Laplace noise delta pays for the tail. Proof: smooth_noise.md.
bool fits_cauchy(Epsilon epsilon, Smoothness smoothness);
bool fits_laplace(Epsilon epsilon, Delta delta, Smoothness smoothness);

// The scale of the noise for this bound. Requires: fits.
Uint128 cauchy_scale(Epsilon epsilon, Smoothness smoothness, std::uint64_t bound);
std::uint64_t laplace_scale(Epsilon epsilon, std::uint64_t bound);

// Every value with noise of its own scale.
std::vector<std::int64_t> add_cauchy_noise(BitSource& bits, std::span<const SmoothValue> values,
                                           Smoothness smoothness, Epsilon epsilon);
std::vector<std::int64_t> add_laplace_noise(BitSource& bits, std::span<const SmoothValue> values,
                                            Epsilon epsilon);

}  // namespace privpfc
