#include "privpfc/quality/misclassification.h"

#include <algorithm>
#include <cmath>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 24;

}  // namespace

MisclassificationTable::MisclassificationTable(std::uint64_t noise_units,
                                               std::uint64_t units_per_one, Noise noise) {
  require(noise_units > 0 && units_per_one > 0, "the noise has a positive epsilon");
  const double epsilon = static_cast<double>(noise_units) / static_cast<double>(units_per_one);
  const double slope = noise == Noise::kGeometric ? std::tanh(epsilon / 2) : epsilon / 2;
  // g(x) = x e^(-epsilon x) (1 + x slope) / 2: rises, then falls for good. The table
  // ends where the fall has come below a quarter of a unit. Where that would be out of reach (a
  // vanishing epsilon), it ends at its limit instead: a step down that the range below accounts
  // for.
  for (std::size_t x = 0; x < kMostEntries; ++x) {
    const double margin = static_cast<double>(x);
    const double excess = margin * std::exp(-epsilon * margin) * (1 + margin * slope) / 2 *
                          static_cast<double>(kOneRow);
    const bool falling = epsilon * margin > 3;
    if (falling && excess < 0.25) break;
    excess_.push_back(std::llround(excess));
  }
  for (std::size_t x = 0; x < excess_.size(); ++x) {
    const std::int64_t next = (*this)[x + 1];
    const std::int64_t here = excess_[x];
    // The proof needs a margin's growth to cost at most half a row; a steeper step is cut down.
    if (next - here > kOneRow / 2) {
      excess_[x + 1] = here + kOneRow / 2;
    }
    largest_fall_ = std::max(largest_fall_, here - (*this)[x + 1]);
  }
}

}  // namespace privpfc
