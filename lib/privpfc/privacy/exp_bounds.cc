#include "privpfc/privacy/exp_bounds.h"

#include "privpfc/base/contract.h"

namespace privpfc {

namespace {

using boost::multiprecision::cpp_int;

cpp_int ceil_shift(const cpp_int& value, unsigned by) {
  return (value + (cpp_int(1) << by) - 1) >> by;
}

}  // namespace

FixedBounds product_bounds(const FixedBounds& a, const FixedBounds& b, unsigned precision) {
  return {(a.lo * b.lo) >> precision, ceil_shift(a.hi * b.hi, precision)};
}

FixedBounds exp_bounds(std::uint64_t n, std::uint64_t d, unsigned precision) {
  require(d > 0, "exp_bounds: the denominator is positive");
  // exp(-n/d) = exp(-y)^(2^halvings) with y = n / (d 2^halvings) <= 1/2.
  unsigned halvings = 0;
  while ((cpp_int(d) << halvings) < 2 * cpp_int(n)) ++halvings;
  const unsigned working = precision + halvings + 32;  // each squaring costs about a bit
  const cpp_int one = cpp_int(1) << working;
  const cpp_int scaled = (cpp_int(n) << (working - halvings)) / d;
  const FixedBounds y{scaled, scaled + 1};

  // 1 - y + y^2/2 - ...: the terms fall, so the value lies within one term of any partial sum.
  FixedBounds sum{one, one};
  FixedBounds term{one, one};
  for (unsigned k = 1; term.hi > 1; ++k) {
    term = product_bounds(term, y, working);
    term.lo /= k;
    term.hi = (term.hi + k - 1) / k;
    if (k % 2 == 1) {
      sum = {sum.lo - term.hi, sum.hi - term.lo};
    } else {
      sum = {sum.lo + term.lo, sum.hi + term.hi};
    }
  }
  sum = {sum.lo - term.hi, sum.hi + term.hi};

  for (unsigned k = 0; k < halvings; ++k) sum = product_bounds(sum, sum, working);
  return {sum.lo >> (working - precision), ceil_shift(sum.hi, working - precision)};
}

}  // namespace privpfc
