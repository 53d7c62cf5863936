#pragma once

#include <cstdint>
#include <vector>

#include "privpfc/classifiers/feature_space.h"

namespace privpfc {

// The values of one feature, by row: `numbers` (NaN where missing) or `codes` (kMissingCode where
// missing), whichever the feature is.
struct FeatureColumn {
  std::vector<double> numbers;
  std::vector<std::uint16_t> codes;
};

// Rows without labels: what a model predicts for. One column per feature of the space; numbers lie
// within the feature's bounds, codes below its number of categories.
struct Rows {
  std::size_t count = 0;
  std::vector<FeatureColumn> columns;
};

// What a learner trains on: rows with labels (codes below the number of classes) and weights
// (finite, not negative). A row of weight n stands for n equal rows.
struct Dataset {
  Rows rows;
  std::vector<std::uint8_t> labels;
  std::vector<double> weights;

  std::size_t count() const { return rows.count; }
};

// No rows yet, but one column per feature.
Rows empty_rows(const FeatureSpace& space);

// Whether the data is as described above; an error of kind kData names the feature. Learners rely
// on it.
Status check_rows(const Rows& rows, const FeatureSpace& space);
Status check_dataset(const Dataset& data, const FeatureSpace& space);

// Adds the weights of rows that are equal in every value and in the label, leaves out those without
// weight, and puts what remains in an order that depends on the values alone. Two data sets that
// stand for the same rows become the same, bit for bit, as long as their sums of weights are exact
// (they are for counts below 2^53).
Dataset merge_equal_rows(const Dataset& data);

// The total weight of each class.
std::vector<double> class_weights(const Dataset& data, std::size_t class_count);

// The rows with these positions, in this order.
Dataset take_rows(const Dataset& data, const std::vector<std::size_t>& positions);

}  // namespace privpfc
