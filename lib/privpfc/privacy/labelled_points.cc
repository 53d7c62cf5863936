#include "privpfc/privacy/labelled_points.h"

#include <algorithm>
#include <cmath>

#include "privpfc/base/contract.h"

namespace privpfc {

LabelledPoints::LabelledPoints(std::size_t dimension, double reach)
    : dimension_(dimension), reach_(reach) {
  require(0 < dimension && dimension <= 1'000'000, "points have 1 to 1,000,000 dimensions");
  require(std::isfinite(reach) && reach > 0, "the reach of points is a positive number");
}

void LabelledPoints::add(std::span<const Entry> entries, std::uint8_t label, std::uint32_t rows) {
  require(rows > 0, "a point stands for a row at least");
  double squares = 0;
  double sum = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    require(std::isfinite(entries[k].value), "a point has finite entries");
    require(entries[k].at < dimension_ && (k == 0 || entries[k - 1].at < entries[k].at),
            "the entries of a point are in order, each place once");
    const double value = entries[k].value;
    squares += value * value;
    sum += std::abs(value);
  }
  // The margin of 2^-20 is far more than what rounding to a float can add again (2^-24).
  constexpr double kInside = 1 - 0x1p-20;
  const double length = std::max(std::sqrt(squares), sum / reach_);
  const double factor = length > kInside ? kInside / length : 1;
  for (const Entry& entry : entries) {
    entries_.push_back({entry.at, static_cast<float>(factor * entry.value)});
  }
  starts_.push_back(entries_.size());
  labels_.push_back(label);
  rows_.push_back(rows);
}

}  // namespace privpfc
