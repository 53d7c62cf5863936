#include "privpfc/evaluation/fidelity.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

// The share of rows in each of `count` slots.
std::vector<double> shares(const Dataset& data, std::size_t count,
                           const std::function<std::size_t(std::size_t row)>& slot_of) {
  std::vector<double> result(count, 0);
  for (std::size_t i = 0; i < data.count(); ++i) result[slot_of(i)] += data.weights[i];
  const double total = std::accumulate(result.begin(), result.end(), 0.0);
  require(total > 0, "a table with rows");
  for (double& share : result) share /= total;
  return result;
}

double total_variation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

}  // namespace

Fidelity compare_tables(const FeatureSpace& groups, const Dataset& synthetic, const Dataset& real) {
  const std::size_t classes = groups.class_count();
  const auto distance = [&](std::size_t slots, const auto& slot_in) {
    const auto in = [&](const Dataset& data) {
      return shares(data, slots, [&](std::size_t row) { return slot_in(data, row); });
    };
    return total_variation(in(synthetic), in(real));
  };
  Fidelity fidelity;
  fidelity.label = distance(
      classes, [](const Dataset& data, std::size_t row) { return std::size_t{data.labels[row]}; });
  for (std::size_t f = 0; f < groups.features.size(); ++f) {
    const Feature& feature = groups.features[f];
    require(!feature.is_number(), "groups, no numbers");
    bool some_missing = false;
    const auto group_in = [&](const Dataset& data, std::size_t row) {
      const std::uint16_t code = data.rows.columns[f].codes[row];
      some_missing |= code == kMissingCode;
      return code == kMissingCode ? feature.categories.size() : std::size_t{code};
    };
    const std::size_t slots = feature.categories.size() + 1;
    AttributeFidelity& result = fidelity.attributes.emplace_back();
    result.attribute = feature.name;
    result.alone = distance(slots, group_in);
    result.with_label = distance(slots * classes, [&](const Dataset& data, std::size_t row) {
      return group_in(data, row) * classes + data.labels[row];
    });
    result.groups = feature.categories.size() + (some_missing ? 1 : 0);
  }
  return fidelity;
}

}  // namespace privpfc
