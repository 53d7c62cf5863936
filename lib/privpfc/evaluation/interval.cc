#include "privpfc/evaluation/interval.h"

#include <algorithm>
#include <cmath>

#include "privpfc/base/contract.h"

namespace privpfc {

ShareInterval wilson_interval(double share, double rows, double noise) {
  require(share >= 0 && share <= 1 && rows >= 0 && noise >= 0, "a share of rows");
  if (rows == 0) return {};
  // The p with (share - p)^2 <= z^2 (p (1 - p) / rows + noise^2).
  const double z2 = kNormalQuantile * kNormalQuantile;
  const double a = 1 + z2 / rows;
  const double half_b = share + z2 / (2 * rows);
  const double c = share * share - z2 * noise * noise;
  const double root = std::sqrt(std::max(0.0, half_b * half_b - a * c));
  return {std::max(0.0, (half_b - root) / a), std::min(1.0, (half_b + root) / a)};
}

}  // namespace privpfc
