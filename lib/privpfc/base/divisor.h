#pragma once

#include <cstdint>

namespace privpfc {

// Division by a number that is known early and used often: a multiplication by 2^64 / divisor,
// rounded up, is exact for every 32-bit dividend. Requires a divisor of at least 1.
class Divisor {
 public:
  explicit Divisor(std::uint32_t divisor)
      : divisor_(divisor), inverse_(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1) {}
  std::uint32_t quotient(std::uint32_t dividend) const {
    if (divisor_ == 1) return dividend;
    return static_cast<std::uint32_t>((static_cast<unsigned __int128>(inverse_) * dividend) >> 64);
  }
  std::uint32_t remainder(std::uint32_t dividend) const {
    return dividend - divisor_ * quotient(dividend);
  }

 private:
  std::uint32_t divisor_;
  std::uint64_t inverse_;
};

}  // namespace privpfc
