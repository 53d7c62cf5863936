#include "privpfc/privacy/discrete_cauchy.h"

#include <boost/multiprecision/cpp_int.hpp>

#include "privpfc/base/contract.h"
#include "privpfc/privacy/bernoulli_exp.h"
#include "privpfc/privacy/uniform.h"

namespace privpfc {

namespace {

using boost::multiprecision::cpp_int;

// True with probability exactly n/d, n <= d, of any size: the digits of n/d are compared with those
// of a uniform number until two differ, which takes two on average.
bool bernoulli_wide(BitSource& bits, cpp_int n, const cpp_int& d) {
  if (n == d) return true;
  for (;;) {
    n *= 2;
    const bool digit = n >= d;
    if (digit) n -= d;
    if ((bits.bits(1) == 1) != digit) return digit;
  }
}

// P[Y >= k] = s/k for k = s, s + 1, ...
cpp_int sample_tail(BitSource& bits, const cpp_int& s, Uint128 scale) {
  unsigned doublings = 0;
  while (bits.bits(1) == 1) ++doublings;
  const cpp_int block = s << doublings;  // P[block <= Y < 2 block] = 1/2^(doublings + 1)
  for (;;) {
    cpp_int y = uniform_below_wide(bits, scale);
    for (unsigned k = 0; k < doublings; ++k) y = 2 * y + bits.bits(1);
    y += block;
    if (bernoulli_wide(bits, block * (block + 1), y * (y + 1))) return y;
  }
}

// In proportion to s^2 / (s^2 + y^2), y = 0, 1, 2, ...
cpp_int sample_magnitude(BitSource& bits, Uint128 scale) {
  const cpp_int s = scale;
  for (;;) {
    if (bernoulli(bits, scale, 2 * scale + 1)) {
      const cpp_int y = uniform_below_wide(bits, scale);
      if (bernoulli_wide(bits, s * s, s * s + y * y)) return y;
    } else {
      const cpp_int y = sample_tail(bits, s, scale);
      if (bernoulli_wide(bits, s * y * (y + 1), (s + 1) * (s * s + y * y))) return y;
    }
  }
}

}  // namespace

Int128 sample_discrete_cauchy(BitSource& bits, Uint128 scale) {
  constexpr Uint128 kMost = static_cast<Uint128>(1) << 100;
  require(0 < scale && scale <= kMost, "a scale lies between 1 and 2^100");
  for (;;) {
    const bool negative = bits.bits(1) == 1;
    const cpp_int drawn = sample_magnitude(bits, scale);
    if (negative && drawn == 0) continue;  // zero would count twice
    const auto magnitude =
        static_cast<Int128>(drawn > cpp_int(kMost) ? kMost : static_cast<Uint128>(drawn));
    return negative ? -magnitude : magnitude;
  }
}

}  // namespace privpfc
