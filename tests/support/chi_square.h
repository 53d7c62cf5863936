#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpfc/base/contract.h"

namespace privpfc {

// Pearson's test of counts against the probabilities that they should have.
struct ChiSquare {
  double statistic = 0;
  double critical = 0;  // the exact quantile of the chi-square law
  bool rejects() const { return statistic > critical; }
};

// Neighbouring bins are pooled until each expects enough for the chi-square law to hold (and, with
// many bins, until there are about a hundred, so that a small error of the scale is not drowned).
inline ChiSquare chi_square(const std::vector<std::uint64_t>& counts,
                            const std::vector<double>& probabilities, double significance) {
  double total = 0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  const double least = total / 100 > 50 ? total / 100 : 50;
  ChiSquare result;
  double seen = 0;
  double expected = 0;
  double left = 1;
  int bins = 0;
  const auto close = [&] {
    result.statistic += (seen - expected) * (seen - expected) / expected;
    ++bins;
    seen = expected = 0;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    seen += static_cast<double>(counts[i]);
    expected += total * probabilities[i];
    left -= probabilities[i];
    // Rare outcomes keep bins of their own as long as the test allows it: that is where a wrong
    // scale shows. The last bin takes what is left.
    const bool enough = expected >= least || (expected >= 50 && probabilities.size() <= 100);
    if (enough && total * left >= 50) close();
  }
  if (expected > 0) close();
  require(bins >= 2, "a chi-square test needs two outcomes");
  result.critical = boost::math::quantile(
      boost::math::complement(boost::math::chi_squared(bins - 1), significance));
  return result;
}

}  // namespace privpfc
