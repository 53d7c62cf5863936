#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"

namespace privpfc {

// A privacy loss: a whole number of billionths, so that shares add up to the whole exactly and
// 0.05 means 0.05. Zero is "nothing"; no mechanism accepts it. Why billionths, why a most:
// docs/decisions/0002-integer-epsilon.md.
class Epsilon {
 public:
  static constexpr std::uint64_t kUnitsPerOne = 1'000'000'000;
  static constexpr std::uint64_t kMostUnits = 1'000 * kUnitsPerOne;

  constexpr Epsilon() = default;

  // Requires: units <= kMostUnits.
  static Epsilon from_units(std::uint64_t units);

  // Reads digits with at most one point and at most nine decimals, such as "0.05" or "1". Refuses
  // everything else (signs, exponents, spaces, zero, more than kMostUnits), in every locale alike.
  static Result<Epsilon> parse(std::string_view text);

  std::uint64_t units() const { return units_; }
  std::string to_string() const;  // the shortest text that parse reads back; "0" for nothing

  // Stop the program where the result would be below nothing or above the most.
  friend Epsilon operator+(Epsilon a, Epsilon b);
  friend Epsilon operator-(Epsilon a, Epsilon b);
  friend auto operator<=>(Epsilon, Epsilon) = default;

  // Parts in proportion to `shares`, each off by less than one unit, that sum to the whole exactly.
  // Requires: the shares sum to a positive number below 2^32.
  std::vector<Epsilon> split(std::span<const std::uint64_t> shares) const;

 private:
  constexpr explicit Epsilon(std::uint64_t units) : units_(units) {}

  std::uint64_t units_ = 0;
};

}  // namespace privpfc
