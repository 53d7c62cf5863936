#include "privpfc/privacy/laplace_table.h"

#include "privpfc/base/contract.h"
#include "privpfc/privacy/exp_bounds.h"

namespace privpfc {

namespace {

using boost::multiprecision::cpp_int;

constexpr std::size_t kMostThresholds = 8'192;
constexpr unsigned kGuideBits = 8;

// Bounds on 2 power / (1 + alpha), where power is alpha^m. Rising in power, falling in alpha.
FixedBounds tail_bounds(const FixedBounds& power, const FixedBounds& alpha, unsigned precision) {
  const cpp_int one = cpp_int(1) << precision;
  const cpp_int below = one + alpha.hi;
  const cpp_int above = one + alpha.lo;
  return {(power.lo << (precision + 1)) / below,
          ((power.hi << (precision + 1)) + above - 1) / above};
}

// The leading bits of T_1, T_2, ..., as far as they fall strictly; empty if the precision does not
// settle one of them.
std::vector<std::uint64_t> leading_bits(Decay decay, unsigned prefix_bits, unsigned precision) {
  const FixedBounds alpha = exp_bounds(decay.s, decay.t, precision);
  FixedBounds tail = tail_bounds(alpha, alpha, precision);
  std::vector<std::uint64_t> thresholds;
  while (thresholds.size() < kMostThresholds) {
    const cpp_int lo = tail.lo >> (precision - prefix_bits);
    const cpp_int hi = tail.hi >> (precision - prefix_bits);
    if (lo != hi) return {};
    const auto threshold = lo.convert_to<std::uint64_t>();
    // Past the first, only what differs from its neighbour: then a draw can be in doubt about one
    // threshold at most. The rest of the tail is drawn by the exact sampler.
    if (!thresholds.empty() && threshold >= thresholds.back()) break;
    thresholds.push_back(threshold);
    tail = product_bounds(tail, alpha, precision);
  }
  return thresholds;
}

}  // namespace

LaplaceTable::LaplaceTable(Decay decay, unsigned prefix_bits)
    : decay_(decay), prefix_bits_(prefix_bits) {
  require(decay.s > 0 && decay.t > 0, "noise needs a positive epsilon");
  require(kGuideBits <= prefix_bits && prefix_bits <= 63, "between 8 and 63 bits");
  // Ends: no threshold is a fraction with a power of two below, so enough bits tell it from any.
  for (unsigned precision = 192; thresholds_.empty(); precision *= 2) {
    thresholds_ = leading_bits(decay, prefix_bits, precision);
  }
  const unsigned shift = prefix_bits - kGuideBits;
  std::size_t passed = thresholds_.size();
  for (std::uint64_t bucket = 0; bucket < (1ULL << kGuideBits); ++bucket) {
    const std::uint64_t last = ((bucket + 1) << shift) - 1;
    while (passed > 0 && thresholds_[passed - 1] <= last) --passed;
    guide_.push_back(static_cast<std::uint32_t>(passed));
  }
}

// U < T_m, where U is known to begin with `prefix`.
bool LaplaceTable::is_below_threshold(BitSource& bits, std::uint64_t prefix,
                                      std::uint64_t m) const {
  cpp_int u = prefix;
  for (unsigned known = prefix_bits_;;) {
    u = (u << 64) | bits.bits(64);
    known += 64;
    const unsigned precision = known + 64;
    const FixedBounds alpha = exp_bounds(decay_.s, decay_.t, precision);
    const FixedBounds power = exp_bounds(decay_.s * m, decay_.t, precision);
    const FixedBounds tail = tail_bounds(power, alpha, precision);
    if (((u + 1) << (precision - known)) <= tail.lo) return true;
    if ((u << (precision - known)) >= tail.hi) return false;
  }
}

Int128 LaplaceTable::sample(BitSource& bits) const {
  const std::uint64_t drawn = bits.bits(prefix_bits_ + 1);
  const bool negative = (drawn & 1) == 1;
  const std::uint64_t prefix = drawn >> 1;
  const std::size_t end = thresholds_.size();
  std::size_t m = guide_[prefix >> (prefix_bits_ - kGuideBits)];
  while (m < end && prefix < thresholds_[m]) ++m;  // U < T_{m+1} for certain
  if (m < end && prefix == thresholds_[m] && is_below_threshold(bits, prefix, m + 1)) ++m;
  auto magnitude = static_cast<Int128>(m);
  // Beyond the table the law starts afresh: P[M >= end + j | M >= end] = alpha^j.
  if (m == end) magnitude += static_cast<Int128>(sample_geometric(bits, decay_));
  return negative ? -magnitude : magnitude;
}

}  // namespace privpfc
