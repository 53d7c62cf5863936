#pragma once

#include <span>
#include <vector>

#include "privpfc/classifiers/kernel.h"

namespace privpfc {

// The dual of the C-SVC with a weight per point:
//
//   minimise  1/2 sum_ij a_i a_j y_i y_j K(x_i, x_j) - sum_i a_i
//   so that   sum_i y_i a_i = 0  and  0 <= a_i <= upper_i
//
// A point of weight w has the upper bound C w: that is what w equal points amount to, since only
// the sum of their multipliers counts.
struct SmoOptions {
  double tolerance = 1e-3;  // largest violation of the optimality conditions that is let pass
  std::size_t cache_bytes = std::size_t{256} << 20;
  bool shrinking = true;
  std::size_t most_steps = 0;  // 0: ten million, or 100 per point if that is more
};

struct SmoSolution {
  std::vector<double> multipliers;  // a_i
  double bias = 0;                  // the decision is sum_i y_i a_i K(x_i, x) + bias
  double objective = 0;
  std::size_t steps = 0;
  bool converged = true;
};

// Sequential minimal optimisation with second-order choice of the pair (Fan, Chen and Lin 2005),
// and shrinking. `signs` holds 1 or -1.
SmoSolution solve_smo(const KernelPoints& points, std::span<const double> signs,
                      std::span<const double> upper, const SmoOptions& options);

}  // namespace privpfc
