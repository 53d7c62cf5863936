#include "privpfc/audit/epsilon_bound.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "privpfc/base/contract.h"

namespace privpfc {

double share_at_least(std::size_t hits, std::size_t runs, double significance) {
  require(0 < runs && hits <= runs, "as many hits as runs, at most");
  if (hits == 0) return 0;
  return boost::math::ibeta_inv(static_cast<double>(hits), static_cast<double>(runs - hits + 1),
                                significance);
}

double share_at_most(std::size_t hits, std::size_t runs, double significance) {
  require(0 < runs && hits <= runs, "as many hits as runs, at most");
  if (hits == runs) return 1;
  return boost::math::ibetac_inv(static_cast<double>(hits + 1), static_cast<double>(runs - hits),
                                 significance);
}

double epsilon_at_least(std::size_t often, std::size_t seldom, std::size_t runs,
                        double significance, double delta) {
  const double low = share_at_least(often, runs, significance) - delta;
  const double high = share_at_most(seldom, runs, significance);
  return low > high ? std::log(low / high) : 0;
}

bool are_enough_runs(std::size_t runs, double claimed, double significance, double delta) {
  // The largest epsilon shows best where an event has exp(epsilon) times the probability of its
  // opposite on one table, and the other way round on the other.
  const double likely = 1 / (1 + std::exp(-2 * claimed));
  const auto often = static_cast<std::size_t>(std::round(likely * static_cast<double>(runs)));
  return epsilon_at_least(often, runs - often, runs, significance, delta) > claimed;
}

}  // namespace privpfc
