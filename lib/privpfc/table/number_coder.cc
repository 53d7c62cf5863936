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

// Enough that most cells hold no edge, few enough to stay in the cache.
std::size_t cell_count(std::size_t bins) {
  return std::clamp<std::size_t>(std::bit_ceil(bins) * 8, 64, kMaxDirect);
}

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

  is_whole_ ? prepare_wholes(bins) : prepare_reals(bins);
}

// An edge in an earlier cell than a value lies below the value; one in the same cell is compared.
template <typename Edges, typename CellOf>
void NumberCoder::prepare_cells(const Edges& edges, std::size_t cells, CellOf cell_of) {
  first_bin_.assign(cells, 0);
  for (const auto edge : edges) {
    const std::size_t next = cell_of(edge) + 1;
    if (next < cells) ++first_bin_[next];
  }
  for (std::size_t i = 1; i < cells; ++i) {
    first_bin_[i] = static_cast<std::uint16_t>(first_bin_[i] + first_bin_[i - 1]);
  }
}

void NumberCoder::prepare_reals(const Bins& bins) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  low_ = bins.edges.front();
  high_ = bins.edges.back();
  for (std::size_t i = 1; i + 1 < bins.edges.size(); ++i) {
    // "above the edge" is "at or above the next number", so one comparison serves both kinds.
    const double edge = bins.edges[i];
    real_edges_.push_back(bins.holds_upper_end ? std::nextafter(edge, kInfinity) : edge);
  }
  const std::size_t cells = cell_count(bins.count());
  cells_per_unit_ = static_cast<double>(cells - 1) / (high_ - low_);
  // A domain as wide as the type overflows, one as narrow as its last digit divides by next to
  // nothing: one cell for all is right too.
  const bool is_usable = std::isfinite(high_ - low_) && std::isfinite(cells_per_unit_);
  if (!is_usable) cells_per_unit_ = 0;
  prepare_cells(real_edges_, is_usable ? cells + 1 : 1,
                [this](double edge) { return real_cell(std::min(edge, high_)); });
  real_edges_.push_back(kInfinity);
}

void NumberCoder::prepare_wholes(const Bins& bins) {
  const std::int64_t low = saturated(bins.edges.front());
  first_ = static_cast<std::uint64_t>(low);
  last_ = saturated(bins.edges.back() - 1);
  for (std::size_t i = 1; i + 1 < bins.edges.size(); ++i) {
    whole_edges_.push_back(saturated(bins.edges[i]));
  }
  const std::uint64_t width = static_cast<std::uint64_t>(last_) - first_;  // less one
  const std::size_t cells = cell_count(bins.count());
  while ((width >> cell_shift_) >= cells) ++cell_shift_;
  prepare_cells(whole_edges_, (width >> cell_shift_) + 1,
                [this](std::int64_t edge) { return whole_cell(edge); });
  if (width < kMaxDirect) {
    std::vector<Coded> by_value;
    for (std::uint64_t i = 0; i <= width; ++i) {
      by_value.push_back(search(static_cast<std::int64_t>(first_ + i)));
    }
    by_value_ = std::move(by_value);
  }
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
    if (coded.note == Note::kMissing) coded = slot_of(saturated(whole));
    if (coded.note == Note::kFine) coded.note = Note::kFraction;
  }
  return coded;
}

Coded NumberCoder::of_any_text(std::string_view text) const {
  if (text.empty()) return missing_;
  if (is_date_) {
    if (const auto days = read_days(text)) return of_days(*days);
  }
  if (const Coded* coded = missing_texts_.find(text)) return *coded;
  if (is_date_) return not_a_number_;
  if (const auto integer = read_short_integer(text)) return of(*integer);
  const auto number = read_real(text);
  return number ? of(*number) : not_a_number_;
}

}  // namespace privpfc
