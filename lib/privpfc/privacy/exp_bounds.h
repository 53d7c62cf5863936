#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

namespace privpfc {

// lo <= 2^precision * x <= hi for the real number x that it stands for.
struct FixedBounds {
  boost::multiprecision::cpp_int lo;
  boost::multiprecision::cpp_int hi;
};

// Bounds on exp(-n/d) of any precision, by integers only. Requires: d > 0. They close in on the
// true value as the precision grows, and are a few units apart in practice; no caller relies on how
// few. Proof: laplace_table.md.
FixedBounds exp_bounds(std::uint64_t n, std::uint64_t d, unsigned precision);

// Bounds on the product of two numbers in [0, 1].
FixedBounds product_bounds(const FixedBounds& a, const FixedBounds& b, unsigned precision);

}  // namespace privpfc
