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
    }
    return of_any_text(text);
  }

 private:
  Coded search(std::int64_t value) const;
  Coded of_real(double value) const {
    if (value != value || is_missing(value)) [[unlikely]] {
      return value != value ? not_a_number_ : missing_;
    }
    // Counts the inner edges at or below the value, without a branch that depends on it.
    const double* edges = real_edges_.data();
    std::size_t bin = 0;
    for (std::size_t step = (real_edges_.size() + 1) / 2; step > 0; step /= 2) {
      bin += edges[bin + step - 1] <= value ? step : 0;
    }
    std::size_t slot = bin + 1;
    slot = value < low_ ? 0 : slot;
    slot = value > high_ ? slots_.size() - 1 : slot;
    return slots_[slot];
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

  // Real attributes. The inner edges, filled up with infinities to one less than a power of two.
  double low_ = 0;
  double high_ = 0;
  std::vector<double> real_edges_;

  // Whole-number attributes. Where the domain is small, by_value_[v - first_] has the answer.
  std::vector<std::int64_t> whole_edges_;
  std::uint64_t first_ = 0;
  std::vector<Coded> by_value_;

  std::vector<double> missing_numbers_;
  SpellingTable missing_texts_;
  bool texts_first_ = false;  // some missing spelling would read as a number, but is written oddly
};

}  // namespace privpfc
