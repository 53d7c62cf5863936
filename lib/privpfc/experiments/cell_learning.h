#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/pipeline/synopsis.h"

namespace privpfc {

// Learning from a released histogram without ever writing rows: each cell and class is one weighted
// point, which gives the same models as its many equal rows.

// How the grid sees the attributes: each as a category at its level.
std::vector<AttributeView> grid_views(const Synopsis& synopsis);

// So many rows of each cell and class, as weighted points. `space` is made from grid_views().
Dataset weighted_cells(const Synopsis& synopsis, std::span<const std::uint64_t> counts,
                       const Schema& schema, const FeatureSpace& space);

// What the histogram classifier says, from the counts as they were released: the class with the
// largest count of the row's cell; where several share it, the one that is most frequent overall.
// `rows` are seen by grid_views().
std::vector<std::uint8_t> histogram_labels(const Synopsis& synopsis, const Schema& schema,
                                           const FeatureSpace& space, const Rows& rows);

// The share of labels that are not the true ones.
double error_share(const std::vector<std::uint8_t>& predicted,
                   const std::vector<std::uint8_t>& truth);

}  // namespace privpfc
