#pragma once

#include <cstdint>
#include <vector>

#include "privpfc/classifiers/dataset.h"

namespace privpfc {

// What naive Bayes counts, from rows as they are: for `transform` only. Every function gives whole
// numbers that do not depend on the order of the rows. By how much one row changes them:
// nb_laplace.md.

// Rows by class.
std::vector<std::int64_t> nb_class_counts(const Dataset& data, const std::size_t& classes);

// Rows by class and category (class-major). A row whose category is missing counts nowhere.
std::vector<std::int64_t> nb_category_counts(const Dataset& data, const std::size_t& feature,
                                             const std::size_t& categories,
                                             const std::size_t& classes);

// Rows by class whose number is not missing.
std::vector<std::int64_t> nb_present_counts(const Dataset& data, const std::size_t& feature,
                                            const std::size_t& classes);

// A number's place between the public bounds, on a lattice: -kNbUnit at `low`, kNbUnit at `high`.
inline constexpr std::int64_t kNbUnit = 1 << 16;
std::int64_t nb_lattice(double value, double low, double high);
double nb_from_lattice(double place, double low, double high);

// By class: the sum of the places, and the sum of (place^2 - 1/2), both in units of 1/kNbUnit.
std::vector<std::int64_t> nb_sums(const Dataset& data, const std::size_t& feature,
                                  const Feature& bounds, const std::size_t& classes);
std::vector<std::int64_t> nb_centred_squares(const Dataset& data, const std::size_t& feature,
                                             const Feature& bounds, const std::size_t& classes);

}  // namespace privpfc
