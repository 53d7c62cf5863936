#include "privpfc/privacy/delta.h"

#include "privpfc/base/contract.h"
#include "privpfc/privacy/digits.h"
#include "privpfc/privacy/uint128.h"

namespace privpfc {

namespace {

constexpr std::size_t kDeltaDecimals = 18;

Error not_a_delta() {
  return make_error(ErrorKind::kUsage,
                    "this is not a delta: write a number between 0 and 1 such as 1e-6 or 0.000001, "
                    "with at most 18 decimals");
}

}  // namespace

Delta Delta::from_units(std::uint64_t units) {
  require(units < kUnitsPerOne, "a delta of one or more");
  return Delta(units);
}

Result<Delta> Delta::parse(std::string_view text) {
  const std::size_t exponent_at = text.find("e-");
  const std::string_view mantissa = text.substr(0, exponent_at);
  const std::string_view exponent =
      exponent_at == std::string_view::npos ? "0" : text.substr(exponent_at + 2);
  const std::size_t point = mantissa.find('.');
  const std::string_view whole = mantissa.substr(0, point);
  const std::string_view part =
      point == std::string_view::npos ? std::string_view("0") : mantissa.substr(point + 1);
  if (!all_digits(whole) || !all_digits(part) || !all_digits(exponent)) return not_a_delta();
  if (whole.size() > 1 || part.size() > kDeltaDecimals || exponent.size() > 2) return not_a_delta();
  std::size_t shift = 0;
  for (const char c : exponent) shift = shift * 10 + static_cast<std::size_t>(c - '0');
  std::string digits = std::string(whole) + std::string(part);
  const std::size_t decimals = part.size() + shift;
  const std::size_t dropped = decimals > kDeltaDecimals ? decimals - kDeltaDecimals : 0;
  // Only zeros may be dropped at the end.
  for (std::size_t i = 0; i < dropped; ++i) {
    if (digits.empty() || digits.back() != '0') return not_a_delta();
    digits.pop_back();
  }
  Uint128 units = 0;
  for (const char c : digits) units = units * 10 + static_cast<Uint128>(c - '0');
  for (std::size_t i = decimals; i < kDeltaDecimals; ++i) units *= 10;
  if (units == 0 || units >= kUnitsPerOne) return not_a_delta();
  return Delta(static_cast<std::uint64_t>(units));
}

std::string Delta::to_string() const {
  if (units_ == 0) return "0";
  std::string digits = std::to_string(units_);
  const std::size_t exponent = kDeltaDecimals - digits.size() + 1;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.size() > 1) digits.insert(1, ".");
  return digits + "e-" + std::to_string(exponent);
}

Delta operator+(Delta a, Delta b) {
  return Delta::from_units(a.units_ + b.units_);
}

Delta operator-(Delta a, Delta b) {
  require(a.units_ >= b.units_, "a delta below nothing");
  return Delta(a.units_ - b.units_);
}

std::vector<Delta> Delta::split(std::span<const std::uint64_t> shares) const {
  Uint128 total = 0;
  for (const std::uint64_t share : shares) total += share;
  require(0 < total && total < (Uint128{1} << 32), "the shares sum to a positive small integer");
  std::vector<Delta> parts;
  Uint128 before = 0;
  std::uint64_t given = 0;
  for (const std::uint64_t share : shares) {
    before += share;
    const auto upto = static_cast<std::uint64_t>(units_ * before / total);
    parts.push_back(Delta(upto - given));
    given = upto;
  }
  return parts;
}

}  // namespace privpfc
