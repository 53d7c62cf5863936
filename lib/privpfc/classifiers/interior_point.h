#pragma once

#include <span>

#include "privpfc/classifiers/linear_svm.h"

namespace privpfc {

// The same machine as solve_dual_coordinate_descent(), by a primal-dual interior-point method. Each
// step solves one system of as many equations as there are dimensions, whatever the number of
// points; some thirty steps are enough even where multipliers range over many orders of magnitude,
// which weighted points make them do and coordinate descent takes for ever over. For few
// dimensions: a step costs their cube, and memory their square.
//
// Converged: the duality gap, which bounds how far the objective is from the best, is at most
// kInteriorPointGap times the objective. Most often it is far smaller; where the bounds add up to
// more than some 1e10, rounding in the sum of the multipliers can make it larger.
LinearMachine solve_interior_point(const InputVectors& points, std::size_t dimension,
                                   std::span<const double> signs, std::span<const double> upper);

inline constexpr double kInteriorPointGap = 1e-6;

}  // namespace privpfc
