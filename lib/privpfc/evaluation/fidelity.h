#pragma once

#include <string>
#include <vector>

#include "privpfc/classifiers/dataset.h"

namespace privpfc {

// How far a synthetic table is from a real one, in one attribute: the total variation distance of
// the two distributions, 0 (the same) to 1 (nothing in common). It is the largest difference in the
// share of rows that any set of values can have.
struct AttributeFidelity {
  std::string attribute;
  std::size_t groups = 0;  // with the one of missing values, if any occur
  double alone = 0;
  double with_label = 0;  // of the pairs of value and label
};

struct Fidelity {
  double label = 0;
  std::vector<AttributeFidelity> attributes;  // in the order of the space
};

// Requires a space without numbers, and rows with weight in both.
Fidelity compare_tables(const FeatureSpace& groups, const Dataset& synthetic, const Dataset& real);

}  // namespace privpfc
