#pragma once

#include <vector>

#include "privpfc/privacy/objective_perturbation.h"

namespace privpfc {

// Newton's method with the whole Hessian and a line search: a Minimiser for the kernel, which does
// not trust it. Time per step grows with rows * entries^2 + dimension^3.
std::vector<double> minimise_by_newton(const TiltedObjective& objective, double tolerance,
                                       std::vector<double> start);

}  // namespace privpfc
