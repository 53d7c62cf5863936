#include "privpfc/privacy/smooth_noise.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>

#include "privpfc/base/contract.h"
#include "privpfc/privacy/discrete_cauchy.h"
#include "privpfc/privacy/discrete_laplace.h"
#include "privpfc/privacy/exp_bounds.h"

namespace privpfc {

namespace {

using boost::multiprecision::cpp_int;

constexpr unsigned kFraction = 64;  // bits after the point of the noise's strength

// Enough for exp(-epsilon) to have a hundred bits that count, and for the square of the least
// strength, 2^-52, to have as many.
unsigned precision_for(Epsilon epsilon) {
  return 192 + 4 * static_cast<unsigned>(epsilon.units() / Epsilon::kUnitsPerOne);
}

FixedBounds exp_of(std::uint64_t units, unsigned precision) {
  return exp_bounds(units, Epsilon::kUnitsPerOne, precision);
}

// 2^kFraction times a number that is not above
//   a = min(2 sinh(epsilon/2), sqrt(e^B (2 cosh epsilon - 2 cosh B))),  B = beta with rounding;
// zero where there is no such a.
cpp_int strength(Epsilon epsilon, Smoothness smoothness) {
  const unsigned p = precision_for(epsilon);
  const cpp_int one = cpp_int(1) << p;
  const FixedBounds e = exp_of(epsilon.units(), p);  // exp(-epsilon)
  const FixedBounds b = exp_of(smoothness.beta.units() + kRoundingUnits, p);
  if (b.lo <= e.hi) return 0;
  const cpp_int growth = one * one / e.hi;        // e^epsilon, from below
  const cpp_int most_b = one * one / b.lo + 1;    // e^B, from above
  const cpp_int least_b = one * one / b.hi;       // e^B, from below
  const cpp_int shift = growth + e.lo - 2 * one;  // (2 sinh(epsilon/2))^2
  const cpp_int stretch = growth + e.lo - most_b - b.hi;
  if (shift <= 0 || stretch <= 0) return 0;
  cpp_int square = std::min<cpp_int>(shift, stretch * least_b / one);
  square = std::min<cpp_int>(square, one << 40);  // a of 2^20 is more than enough
  cpp_int a = sqrt(cpp_int(square << p)) >> (p - kFraction);
  return a - (a >> 60) - 1;  // pays for coth(pi scale): smooth_noise.md
}

std::int64_t cut(Int128 sum) {
  constexpr Int128 least = std::numeric_limits<std::int64_t>::min();
  constexpr Int128 most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(sum, least, most));
}

Uint128 scale_of(std::uint64_t bound, Uint128 a) {
  require(bound <= SmoothValue::kMostBound, "a bound above the most");
  const Uint128 scaled = static_cast<Uint128>(bound) << kFraction;
  const Uint128 scale = scaled / a + (scaled % a == 0 ? 0 : 1);
  return std::max<Uint128>(scale, kLeastScale);
}

Uint128 strength_of(Epsilon epsilon, Smoothness smoothness) {
  const cpp_int a = strength(epsilon, smoothness);
  // Below 2^-26 the scale might pass 2^100, the most that can be drawn.
  require(a >= (cpp_int(1) << (kFraction - 26)), "beta leaves no room for noise at this epsilon");
  return static_cast<Uint128>(a);
}

}  // namespace

bool fits_cauchy(Epsilon epsilon, Smoothness smoothness) {
  return strength(epsilon, smoothness) >= (cpp_int(1) << (kFraction - 26));
}

bool fits_laplace(Epsilon epsilon, Delta delta, Smoothness smoothness) {
  constexpr std::uint64_t kLeastUnits = 100'000;  // so that a scale stays below 2^63
  if (epsilon.units() < kLeastUnits || delta == Delta()) return false;
  const unsigned p = precision_for(epsilon);
  const cpp_int one = cpp_int(1) << p;
  const FixedBounds b = exp_of(smoothness.beta.units() + kRoundingUnits, p);
  if (b.lo <= 0 || b.lo >= one) return false;
  // x <= (epsilon/2) / (e^B - 1); noise beyond x scales must have probability delta at most.
  constexpr std::uint64_t kOne = 1ULL << 40;  // of x
  const cpp_int x =
      cpp_int(epsilon.units()) * b.lo * kOne / (cpp_int(2 * Epsilon::kUnitsPerOne) * (one - b.lo));
  if (x < kOne) return false;                 // B would not be below epsilon/2
  if (x >= cpp_int(kOne) << 20) return true;  // exp(-2^20) is below half the least delta
  const FixedBounds tail = exp_bounds(static_cast<std::uint64_t>(x), kOne, p);
  return 2 * tail.hi * Delta::kUnitsPerOne <= cpp_int(delta.units()) * one;
}

Uint128 cauchy_scale(Epsilon epsilon, Smoothness smoothness, std::uint64_t bound) {
  return scale_of(bound, strength_of(epsilon, smoothness));
}

std::uint64_t laplace_scale(Epsilon epsilon, std::uint64_t bound) {
  require(epsilon.units() > 0, "noise needs a positive epsilon");
  const Uint128 scaled = static_cast<Uint128>(bound) * 2 * Epsilon::kUnitsPerOne;
  const Uint128 scale = std::max<Uint128>(scaled / epsilon.units() + 1, kLeastScale);
  require(scale < (Uint128{1} << 63), "a bound too large for this epsilon");
  return static_cast<std::uint64_t>(scale);
}

std::vector<std::int64_t> add_cauchy_noise(BitSource& bits, std::span<const SmoothValue> values,
                                           Smoothness smoothness, Epsilon epsilon) {
  const Uint128 a = strength_of(epsilon, smoothness);
  std::vector<std::int64_t> answer;
  for (const SmoothValue& value : values) {
    answer.push_back(cut(value.value + sample_discrete_cauchy(bits, scale_of(value.bound, a))));
  }
  return answer;
}

std::vector<std::int64_t> add_laplace_noise(BitSource& bits, std::span<const SmoothValue> values,
                                            Epsilon epsilon) {
  std::vector<std::int64_t> answer;
  for (const SmoothValue& value : values) {
    const Decay decay{1, laplace_scale(epsilon, value.bound)};
    answer.push_back(cut(value.value + sample_discrete_laplace(bits, decay)));
  }
  return answer;
}

}  // namespace privpfc
