#pragma once

#include <cstdint>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/privacy/smooth_noise.h"

namespace privpfc {

// Means and deviations of lists whose length is public, with smooth bounds on how far replacing one
// value can move them: for `transform` only. Proof: nb_smooth.md.

// Places on the lattice of nb_counts.h, in rising order.
using SortedPlaces = std::vector<std::int32_t>;

// How many values of each class are kept. Public, or released.
using ListSizes = std::vector<std::size_t>;

// For each class a list of exactly so many places: those of the rows with the lowest coins; the
// middle of the domain where there are too few. A row whose number is missing has no place.
std::vector<SortedPlaces> nb_fixed_lists(const Dataset& data,
                                         const std::vector<std::uint64_t>& coins,
                                         const std::size_t& feature, const Feature& bounds,
                                         const ListSizes& sizes);

// How many values are left out at each end of a list, for the trimmed mean.
std::size_t nb_trimmed_values(std::size_t size, unsigned percent);

// Smooth bounds in units of the lattice. Requires: 0 < beta, a list that is not empty.
double nb_smooth_mean_bound(const SortedPlaces& places, std::size_t trimmed, double beta);
double nb_smooth_deviation_bound(const SortedPlaces& places, double beta);

// Values and bounds go to the mechanism in finer units, and rounded: so many to a lattice's one.
inline constexpr std::int64_t kNbFine = std::int64_t{1} << 29;
// What the rounding of bounds adds to beta, in billionths.
inline constexpr std::uint64_t kNbRoundingUnits = 1'000;

// `declared`: the smoothness of the answers, rounding included.
std::vector<SmoothValue> nb_smooth_means(const std::vector<SortedPlaces>& lists,
                                         const unsigned& trim_percent, const Smoothness& declared);
std::vector<SmoothValue> nb_smooth_deviations(const std::vector<SortedPlaces>& lists,
                                              const Smoothness& declared);

}  // namespace privpfc
