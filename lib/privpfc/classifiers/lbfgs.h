#pragma once

#include <functional>
#include <span>
#include <vector>

namespace privpfc {

// The value of a smooth function at `x`; fills its gradient.
using SmoothFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

// Minimises from `x` on by limited-memory BFGS, until no entry of the gradient is larger than
// `tolerance`, no step gets lower, or after `most_steps`. Returns whether the tolerance was
// reached.
bool minimise_lbfgs(const SmoothFunction& function, std::vector<double>& x, double tolerance,
                    std::size_t most_steps);

}  // namespace privpfc
