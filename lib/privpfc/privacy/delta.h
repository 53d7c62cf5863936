#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"

namespace privpfc {

// The probability with which approximate differential privacy may fail: a whole number of units of
// 10^-18, below one. Nothing, for everything that is pure. docs/decisions/0005-delta.md.
class Delta {
 public:
  static constexpr std::uint64_t kUnitsPerOne = 1'000'000'000'000'000'000;

  constexpr Delta() = default;

  // Requires: units < kUnitsPerOne.
  static Delta from_units(std::uint64_t units);

  // Reads "0.000001" or "1e-6", above zero and below one, with at most 18 decimals.
  static Result<Delta> parse(std::string_view text);

  std::uint64_t units() const { return units_; }
  std::string to_string() const;  // "1e-6", which parse reads back; "0" for nothing

  friend Delta operator+(Delta a, Delta b);
  friend Delta operator-(Delta a, Delta b);
  friend auto operator<=>(Delta, Delta) = default;

  // As Epsilon::split: parts in proportion to the shares that sum to the whole exactly.
  std::vector<Delta> split(std::span<const std::uint64_t> shares) const;

 private:
  constexpr explicit Delta(std::uint64_t units) : units_(units) {}

  std::uint64_t units_ = 0;
};

}  // namespace privpfc
