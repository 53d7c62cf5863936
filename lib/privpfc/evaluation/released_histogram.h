#pragma once

#include <memory>

#include "privpfc/classifiers/feature_space.h"
#include "privpfc/classifiers/model.h"
#include "privpfc/release/release_reader.h"

namespace privpfc {

// The histogram classifier of a release: it reads the raw noisy counts of the cells, signed as they
// are, because rounding them to rows that add up costs accuracy. A row is of the class with the
// largest count in its cell; equal counts go to the class with the larger noisy total. The
// probabilities are counts above 0, drawn towards the noisy shares of the whole table by as many
// rows as the noise can make appear: with Z's deviation s per count, 4 s + 4.
//
// Requires a release with its counts, and the space of its grid (ReleaseView::kGrid).
std::unique_ptr<Model> released_histogram(const Release& release, const FeatureSpace& grid);

// The standard deviation of the noise on each count of the grid's histogram.
double histogram_noise(const Manifest& manifest);

}  // namespace privpfc
