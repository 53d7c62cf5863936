#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "privpfc/schema/attribute.h"
#include "privpfc/table/coded.h"
#include "privpfc/table/number_parsing.h"
#include "privpfc/table/spelling_table.h"

namespace privpfc {

// Where the values of one integer, real or date attribute go. A number equal to one of the
// attribute's `missing` spellings is missing, whether it is stored as text or as a number.
class NumberCoder {
 public:
  explicit NumberCoder(const Attribute& attribute);

  Coded missing() const { return missing_; }

  Coded of(std::int64_t value) const {
    if (!is_whole_) return of_real(static_cast<double>(value));
    const std::uint64_t index = static_cast<std::uint64_t>(value) - first_;
    if (index < by_value_.size()) return by_value_[index];
    return search(value);
  }
  Coded of(std::uint64_t value) const;
  Coded of(double value) const { return is_whole_ ? of_fraction(value) : of_real(value); }
  Coded of(bool value) const { return of(static_cast<std::int64_t>(value)); }
  Coded of_days(std::int32_t days) const { return of(static_cast<std::int64_t>(days)); }

  Coded of(std::string_view text) const {
    if (!texts_first_ && !is_date_) {
      if (const auto integer = read_short_integer(text)) return of(*integer);
      if (const auto decimal = read_short_decimal(text)) return of(*decimal);
    }
    return of_any_text(text);
  }

 private:
  void prepare_reals(const Bins& bins);
  void prepare_wholes(const Bins& bins);
  template <typename Edges, typename CellOf>
  void prepare_cells(const Edges& edges, std::size_t cells, CellOf cell_of);

  Coded search(std::int64_t value) const {
    if (!missing_numbers_.empty() && is_missing(static_cast<double>(value))) return missing_;
    return slot_of(value);
  }
  Coded slot_of(std::int64_t value) const {
    if (value < static_cast<std::int64_t>(first_)) return slots_.front();
    if (value > last_) return slots_.back();
    std::size_t bin = first_bin_[whole_cell(value)];
    while (bin < whole_edges_.size() && whole_edges_[bin] <= value) ++bin;
    return slots_[bin + 1];
  }
  Coded of_real(double value) const {
    if (value != value || is_missing(value)) [[unlikely]] {
      return value != value ? not_a_number_ : missing_;
    }
    if (value < low_) return slots_.front();
    if (value > high_) return slots_.back();
    std::size_t bin = first_bin_[real_cell(value)];
    while (real_edges_[bin] <= value) ++bin;
    return slots_[bin + 1];
  }
  // The domain is cut into equal cells, many more than there are bins, and first_bin_ has the bin
  // of each cell's start: from there it is seldom far. Rounding does not matter, as long as a
  // larger value never has a smaller cell.
  std::size_t real_cell(double value) const {
    return static_cast<std::size_t>((value - low_) * cells_per_unit_);
  }
  std::size_t whole_cell(std::int64_t value) const {
    return (static_cast<std::uint64_t>(value) - first_) >> cell_shift_;
  }
  bool is_missing(double value) const {
    for (const double missing : missing_numbers_) {
      if (missing == value) return true;
    }
    return false;
  }
  Coded of_fraction(double value) const;
  Coded of_any_text(std::string_view text) const;

  bool is_whole_ = false;  // integer or date
  bool is_date_ = false;
  Coded missing_;
  Coded not_a_number_;
  std::vector<Coded> slots_;  // below the domain, each bin, above the domain

  std::vector<std::uint16_t> first_bin_;  // by cell

  // Real attributes. real_edges_[i] is where bin i + 1 starts; after the last bin, infinity.
  double low_ = 0;
  double high_ = 0;
  double cells_per_unit_ = 0;
  std::vector<double> real_edges_;

  // Whole-number attributes: the same. Where the domain is small, by_value_[v - first_] has the
  // answer.
  std::int64_t last_ = 0;
  std::vector<std::int64_t> whole_edges_;
  std::uint64_t first_ = 0;
  unsigned cell_shift_ = 0;
  std::vector<Coded> by_value_;

  std::vector<double> missing_numbers_;
  SpellingTable missing_texts_;
  bool texts_first_ = false;  // some missing spelling would read as a number, but is written oddly
};

}  // namespace privpfc
