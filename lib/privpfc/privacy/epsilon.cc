#include "privpfc/privacy/epsilon.h"

#include "privpfc/privacy/digits.h"

namespace privpfc {

namespace {

constexpr std::size_t kEpsilonDecimals = 9;

Error not_an_epsilon(const char* why) {
  return make_error(ErrorKind::kUsage,
                    "this is not a privacy budget: {}; write a plain decimal such as 0.5 or 1",
                    why);
}

}  // namespace

Epsilon Epsilon::from_units(std::uint64_t units) {
  require(units <= kMostUnits, "an epsilon above the most");
  return Epsilon(units);
}

Result<Epsilon> Epsilon::parse(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part =
      point == std::string_view::npos ? std::string_view("0") : text.substr(point + 1);
  if (!all_digits(whole) || !all_digits(part)) {
    return not_an_epsilon("it is not digits, or digits on both sides of one point");
  }
  if (whole.size() > 4) return not_an_epsilon("it is above 1000");
  if (part.size() > kEpsilonDecimals) return not_an_epsilon("it has more than nine decimals");
  std::uint64_t units = 0;
  for (const char c : whole) units = units * 10 + static_cast<std::uint64_t>(c - '0');
  for (std::size_t i = 0; i < kEpsilonDecimals; ++i) {
    units = units * 10 + (i < part.size() ? static_cast<std::uint64_t>(part[i] - '0') : 0);
  }
  if (units == 0) return not_an_epsilon("it is zero");
  if (units > kMostUnits) return not_an_epsilon("it is above 1000");
  return Epsilon(units);
}

std::string Epsilon::to_string() const {
  std::string text = fmt::format("{}.{:09}", units_ / kUnitsPerOne, units_ % kUnitsPerOne);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

Epsilon operator+(Epsilon a, Epsilon b) {
  return Epsilon::from_units(a.units_ + b.units_);
}

Epsilon operator-(Epsilon a, Epsilon b) {
  require(a.units_ >= b.units_, "an epsilon below nothing");
  return Epsilon(a.units_ - b.units_);
}

std::vector<Epsilon> Epsilon::split(std::span<const std::uint64_t> shares) const {
  std::uint64_t total = 0;
  for (const std::uint64_t share : shares) {
    require(share < (1ULL << 32), "shares are small integers");
    total += share;
  }
  require(0 < total && total < (1ULL << 32), "the shares sum to a positive small integer");
  std::vector<Epsilon> parts;
  parts.reserve(shares.size());
  std::uint64_t before = 0;  // the sum of the shares so far; rounding only ever happens on it,
  std::uint64_t given = 0;   // so the last part ends at the whole
  for (const std::uint64_t share : shares) {
    before += share;
    // Whole and remainder apart: units * share would pass 64 bits.
    const std::uint64_t upto = units_ / total * before + units_ % total * before / total;
    parts.push_back(Epsilon(upto - given));
    given = upto;
  }
  return parts;
}

}  // namespace privpfc
