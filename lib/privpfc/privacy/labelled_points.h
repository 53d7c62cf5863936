#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace privpfc {

// Rows as vectors with a class, for objective_perturbation.h. Every vector lies in the unit ball,
// and the sum of its absolute entries is at most `reach`: a longer one is shortened when it is
// added, so that no caller has to be believed. Equal rows may be one point that stands for many.
class LabelledPoints {
 public:
  struct Entry {
    std::uint32_t at;
    float value;
  };

  // Requires: dimension > 0, 0 < reach, both public.
  LabelledPoints(std::size_t dimension, double reach);

  // Requires: finite entries in increasing order of `at`, below the dimension; rows > 0.
  void add(std::span<const Entry> entries, std::uint8_t label, std::uint32_t rows);

  std::size_t dimension() const { return dimension_; }
  double reach() const { return reach_; }
  std::size_t count() const { return labels_.size(); }
  std::span<const Entry> entries(std::size_t i) const {
    return {entries_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }
  std::uint8_t label(std::size_t i) const { return labels_[i]; }
  std::uint32_t rows(std::size_t i) const { return rows_[i]; }

 private:
  std::size_t dimension_;
  double reach_;
  std::vector<std::size_t> starts_{0};
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> labels_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace privpfc
