#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace privpfc {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

// A real number, caught between two fractions.
struct Between {
  cpp_rational lo;
  cpp_rational hi;
};

// exp(-x) for x >= 0, written apart from the kernel's own bounds so as to check them. Fractions are
// rounded outward to 256 bits to keep them short.
inline Between exp_minus(const cpp_rational& x) {
  const auto down = [](const cpp_rational& r) {
    return cpp_rational((numerator(r) << 256) / denominator(r), cpp_int(1) << 256);
  };
  const auto up = [&](const cpp_rational& r) {
    return down(r) + cpp_rational(1, cpp_int(1) << 256);
  };
  cpp_rational y = x;
  int halvings = 0;
  for (; y > 1; ++halvings) y /= 2;
  Between sum{1, 1};
  cpp_rational term = 1;
  for (int k = 1; k <= 60; ++k) {  // 1/60! is below 2^-270
    term = up(term * y / k);
    // `term` is a little above the true one; by less than 60 units of 2^-256, see the slack below.
    sum.lo += k % 2 == 1 ? -term : term;
  }
  const cpp_rational slack(4096, cpp_int(1) << 256);
  sum = {sum.lo - slack, sum.lo + slack};
  for (int k = 0; k < halvings; ++k) sum = {down(sum.lo * sum.lo), up(sum.hi * sum.hi)};
  return sum;
}

// exp(x) for x >= 0.
inline Between exp_plus(const cpp_rational& x) {
  const Between e = exp_minus(x);
  return {1 / e.hi, 1 / e.lo};
}

}  // namespace privpfc
