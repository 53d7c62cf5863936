#pragma once

#include "privpfc/counting/points.h"
#include "privpfc/quality/misclassification.h"

namespace privpfc {

// How a cell's counts are held while a pool is scored. Two classes of fewer than 2^16 rows each fit
// into one number, the second class in its upper half: half the memory to clear, fill and read,
// and one addition for both, because no sum of rows can carry into the other half.
enum class CountForm { kPerClass, kPackedPair };

// Whether these points and this table of excesses allow packed pairs.
CountForm count_form(const Points& points, const MisclassificationTable& table);

// The same points with one packed number each, as if there were one class. Requires that
// count_form allows it.
Points pack_pairs(const Points& points);

}  // namespace privpfc
