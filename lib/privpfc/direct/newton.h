#pragma once

#include <vector>

#include "privpfc/privacy/objective_perturbation.h"

namespace privpfc {

// Newton's method with the whole Hessian, each step to nearly the minimum of its line, as close to
// the minimum as plain numbers come. Time per step grows with rows * entries^2 + dimension^3.
std::vector<double> minimise_by_newton(const TiltedObjective& objective, double tolerance,
                                       std::vector<double> start);

// A Minimiser for the kernel, which does not trust it: the same, and from the third attempt on with
// numbers of 113 bits, a hundred times slower, which do not end before the tolerance is met: that a
// program stops for want of a minimum would tell something about the rows.
std::vector<FineWeight> minimise_finely(const TiltedObjective& objective, double tolerance,
                                        std::vector<FineWeight> start, int attempt);

}  // namespace privpfc
