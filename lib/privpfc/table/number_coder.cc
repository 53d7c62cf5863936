#include "privpfc/table/number_coder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "privpfc/base/contract.h"
#include "privpfc/schema/number_text.h"

namespace privpfc {

namespace {

constexpr std::size_t kMaxDirect = std::size_t{1} << 16;

std::int64_t saturated(double value) {
  constexpr double kTop = 9223372036854775808.0;  // 2^63
  if (value >= kTop) return std::numeric_limits<std::int64_t>::max();
  if (value < -kTop) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

}  // namespace

NumberCoder::NumberCoder(const Attribute& attribute)
    : is_whole_(attribute.kind != AttributeKind::kReal),
      is_date_(attribute.kind == AttributeKind::kDate),
      missing_{static_cast<std::uint16_t>(attribute.missing_leaf.value()), Note::kMissing},
      not_a_number_{missing_.code, Note::kNotANumber} {
  require(attribute.bins.has_value() && attribute.bins->count() > 0,
          "a numeric attribute has bins");
  const Bins& bins = *attribute.bins;
  const std::size_t count = bins.count();

  const auto outside = [&](std::size_t nearest) {
    std::size_t leaf = nearest;
    if (attribute.outside == Outside::kOther) leaf = attribute.other_leaf.value();
    if (attribute.outside == Outside::kMissing) leaf = attribute.missing_leaf.value();
    return Coded{static_cast<std::uint16_t>(leaf), Note::kOutOfRange};
  };
  slots_.push_back(outside(0));
  for (std::size_t bin = 0; bin < count; ++bin) {
    slots_.push_back({static_cast<std::uint16_t>(bin), Note::kFine});
  }
  slots_.push_back(outside(count - 1));

  for (const std::string& text : attribute.missing_spellings) {
    missing_texts_.add(text, missing_);
    if (is_date_) {
      if (const auto days = read_days(text)) missing_numbers_.push_back(*days);
    } else if (const auto number = read_real(text); number && !std::isnan(*number)) {
      // `00` says something about texts only; `0` is a number, however a file stores it.
      const bool is_plain = std::isfinite(*number) && format_number(*number) == text;
      if (is_plain) missing_numbers_.push_back(*number);
      if (!is_plain) texts_first_ = true;
    }
  }

  if (!is_whole_) {
    low_ = bins.edges.front();
    high_ = bins.edges.back();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < count; ++i) {
      // "above the edge" is "at or above the next number", so one comparison serves both kinds.
      const double edge = bins.edges[i];
      real_edges_.push_back(bins.holds_upper_end ? std::nextafter(edge, kInfinity) : edge);
    }
    real_edges_.resize(std::bit_ceil(real_edges_.size() + 1) - 1, kInfinity);
    return;
  }
  for (const double edge : bins.edges) whole_edges_.push_back(saturated(edge));
  const auto width = static_cast<std::uint64_t>(whole_edges_.back()) -
                     static_cast<std::uint64_t>(whole_edges_.front());
  if (width <= kMaxDirect) {
    first_ = static_cast<std::uint64_t>(whole_edges_.front());
    std::vector<Coded> by_value;
    for (std::uint64_t i = 0; i < width; ++i) {
      by_value.push_back(search(static_cast<std::int64_t>(first_ + i)));
    }
    by_value_ = std::move(by_value);
  }
}

Coded NumberCoder::search(std::int64_t value) const {
  if (!missing_numbers_.empty() && is_missing(static_cast<double>(value))) return missing_;
  // Bin i is edges[i] to edges[i + 1] - 1, so the edges at or below the value count the slot.
  const auto above = std::ranges::upper_bound(whole_edges_, value);
  return slots_[static_cast<std::size_t>(above - whole_edges_.begin())];
}

Coded NumberCoder::of(std::uint64_t value) const {
  if (!is_whole_) return of_real(static_cast<double>(value));
  constexpr std::uint64_t kTop = std::numeric_limits<std::int64_t>::max();
  return of(static_cast<std::int64_t>(std::min(value, kTop)));
}

Coded NumberCoder::of_fraction(double value) const {
  if (std::isnan(value)) return not_a_number_;
  const double whole = std::floor(value);
  Coded coded = of(saturated(whole));
  if (whole != value) {
    // The number itself is no missing spelling, even if the whole number below it is.
    if (coded.note == Note::kMissing) {
      const auto above = std::ranges::upper_bound(whole_edges_, saturated(whole));
      coded = slots_[static_cast<std::size_t>(above - whole_edges_.begin())];
    }
    if (coded.note == Note::kFine) coded.note = Note::kFraction;
  }
  return coded;
}

Coded NumberCoder::of_any_text(std::string_view text) const {
  if (const Coded* coded = missing_texts_.find(text)) return *coded;
  if (text.empty()) return missing_;
  if (is_date_) {
    const auto days = read_days(text);
    return days ? of_days(*days) : not_a_number_;
  }
  if (const auto integer = read_short_integer(text)) return of(*integer);
  const auto number = read_real(text);
  return number ? of(*number) : not_a_number_;
}

}  // namespace privpfc
