#include "privpfc/direct/nb_counts.h"

#include <algorithm>
#include <cmath>

namespace privpfc {

namespace {

// Adds `part` of every number that is there to its row's class.
template <typename Part>
std::vector<std::int64_t> sum_by_class(const Dataset& data, std::size_t feature,
                                       std::size_t classes, Part part) {
  std::vector<std::int64_t> sums(classes);
  const std::vector<double>& numbers = data.rows.columns[feature].numbers;
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (!std::isnan(numbers[i])) sums[data.labels[i]] += part(numbers[i]);
  }
  return sums;
}

}  // namespace

std::vector<std::int64_t> nb_class_counts(const Dataset& data, const std::size_t& classes) {
  std::vector<std::int64_t> counts(classes);
  for (std::size_t i = 0; i < data.count(); ++i) ++counts[data.labels[i]];
  return counts;
}

std::vector<std::int64_t> nb_category_counts(const Dataset& data, const std::size_t& feature,
                                             const std::size_t& categories,
                                             const std::size_t& classes) {
  std::vector<std::int64_t> counts(classes * categories);
  const std::vector<std::uint16_t>& codes = data.rows.columns[feature].codes;
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (codes[i] != kMissingCode) ++counts[data.labels[i] * categories + codes[i]];
  }
  return counts;
}

std::vector<std::int64_t> nb_present_counts(const Dataset& data, const std::size_t& feature,
                                            const std::size_t& classes) {
  return sum_by_class(data, feature, classes, [](double) { return std::int64_t{1}; });
}

std::int64_t nb_lattice(double value, double low, double high) {
  // Whatever rounding does here, it does to one row's value alone, and the result is clamped.
  if (!(high > low)) return 0;
  const double place = (value - low) / (high - low) * 2 - 1;
  return std::llround(std::clamp(place, -1.0, 1.0) * static_cast<double>(kNbUnit));
}

double nb_from_lattice(double place, double low, double high) {
  return low + (place / static_cast<double>(kNbUnit) + 1) / 2 * (high - low);
}

std::vector<std::int64_t> nb_sums(const Dataset& data, const std::size_t& feature,
                                  const Feature& bounds, const std::size_t& classes) {
  return sum_by_class(data, feature, classes,
                      [&](double value) { return nb_lattice(value, bounds.low, bounds.high); });
}

std::vector<std::int64_t> nb_centred_squares(const Dataset& data, const std::size_t& feature,
                                             const Feature& bounds, const std::size_t& classes) {
  return sum_by_class(data, feature, classes, [&](double value) {
    const std::int64_t place = nb_lattice(value, bounds.low, bounds.high);
    return (place * place + kNbUnit / 2) / kNbUnit - kNbUnit / 2;
  });
}

}  // namespace privpfc
