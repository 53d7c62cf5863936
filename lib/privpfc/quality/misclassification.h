#pragma once

#include <cstdint>
#include <vector>

namespace privpfc {

// What noise costs a cell: the expected number of rows that the majority label of the
// noisy counts gets wrong beyond the unavoidable ones, as a table of whole numbers of 2^-20 rows by
// the margin x between the two largest classes. Derivation and sensitivity: grid_score.md.
//
// The table alone decides what is private: its range is read off the finished integers, so that an
// error in the floating-point formula behind it costs accuracy and never privacy.
class MisclassificationTable {
 public:
  static constexpr int kFractionBits = 20;
  static constexpr std::int64_t kOneRow = std::int64_t{1} << kFractionBits;

  // Which noise is added to every count. The geometric one is ours; Laplace's is the paper's.
  enum class Noise { kGeometric, kLaplace };

  // `noise_units` / `units_per_one` is the epsilon of the noise that will be added to every count.
  // Requires 0 < noise_units.
  MisclassificationTable(std::uint64_t noise_units, std::uint64_t units_per_one,
                         Noise noise = Noise::kGeometric);

  // round(2^20 g(x)); zero beyond the end of the table.
  std::int64_t operator[](std::uint64_t margin) const {
    return margin < excess_.size() ? excess_[margin] : 0;
  }
  std::size_t size() const { return excess_.size(); }
  const std::int64_t* data() const { return excess_.data(); }

  // Adding a row changes a cell's score by something in [-largest_fall(), 2^20 + largest_fall()].
  std::int64_t largest_fall() const { return largest_fall_; }
  std::int64_t score_range() const { return kOneRow + 2 * largest_fall_; }

 private:
  std::vector<std::int64_t> excess_;
  std::int64_t largest_fall_ = 0;
};

}  // namespace privpfc
