#include "privpfc/privacy/uniform.h"

#include <bit>

#include "privpfc/base/contract.h"

namespace privpfc {

std::uint64_t uniform_below(BitSource& bits, std::uint64_t limit) {
  require(limit > 0, "uniform_below: nothing lies below zero");
  const auto width = static_cast<unsigned>(std::bit_width(limit - 1));
  if (width == 0) return 0;
  for (;;) {
    const std::uint64_t candidate = bits.bits(width);
    if (candidate < limit) return candidate;
  }
}

Uint128 uniform_below_wide(BitSource& bits, Uint128 limit) {
  require(limit > 0, "uniform_below_wide: nothing lies below zero");
  const auto high_limit = static_cast<std::uint64_t>((limit - 1) >> 64);
  if (high_limit == 0 && (limit >> 64) == 0) {
    return uniform_below(bits, static_cast<std::uint64_t>(limit));
  }
  const auto width = static_cast<unsigned>(std::bit_width(high_limit));
  for (;;) {
    const Uint128 high = width == 0 ? 0 : bits.bits(width);
    const Uint128 candidate = (high << 64) | bits.bits(64);
    if (candidate < limit) return candidate;
  }
}

}  // namespace privpfc
