#include "privpfc/evaluation/released_histogram.h"

#include <algorithm>
#include <cmath>

#include "privpfc/base/contract.h"
#include "privpfc/classifiers/histogram.h"

namespace privpfc {
namespace {

std::vector<double> noisy_shares(const Synopsis& synopsis) {
  std::vector<double> shares;
  double total = 0;
  for (const std::int64_t count : synopsis.class_counts) {
    shares.push_back(static_cast<double>(std::max<std::int64_t>(1, count)));
    total += shares.back();
  }
  for (double& share : shares) share /= total;
  return shares;
}

CellVerdict verdict_of(std::span<const std::int64_t> counts, const std::vector<double>& prior,
                       double prior_rows) {
  std::size_t best = 0;
  double sum = prior_rows;
  CellVerdict verdict;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] > counts[best] || (counts[c] == counts[best] && prior[c] > prior[best])) best = c;
    verdict.shares.push_back(static_cast<double>(std::max<std::int64_t>(0, counts[c])) +
                             prior_rows * prior[c]);
    sum += static_cast<double>(std::max<std::int64_t>(0, counts[c]));
  }
  for (double& share : verdict.shares) share /= sum;
  verdict.label = static_cast<std::uint8_t>(best);
  return verdict;
}

// The code of each node of an axis: its category, or kMissingCode.
std::vector<std::uint16_t> codes_of_nodes(const Schema& schema, const Feature& feature) {
  const Hierarchy& hierarchy = schema[feature.view.attribute].hierarchy;
  std::vector<std::uint16_t> codes(hierarchy.node_count(feature.view.level));
  const auto nodes = hierarchy.nodes_of_leaves(feature.view.level);
  for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf) {
    codes[nodes[leaf]] = feature.category_of_leaf[leaf];
  }
  return codes;
}

}  // namespace

double histogram_noise(const Manifest& manifest) {
  for (const Synopsis::Step& step : manifest.synopsis.steps) {
    if (step.name != "grid histogram") continue;
    const double alpha = std::exp(-static_cast<double>(step.epsilon.units()) /
                                  static_cast<double>(Epsilon::kUnitsPerOne));
    return std::sqrt(2 * alpha) / (1 - alpha);
  }
  return 0;
}

std::unique_ptr<Model> released_histogram(const Release& release, const FeatureSpace& grid) {
  const Synopsis& synopsis = release.manifest.synopsis;
  require(grid.features.size() == synopsis.axes.size(), "one feature per axis");
  std::vector<std::vector<std::uint16_t>> codes;
  for (const Feature& feature : grid.features) {
    codes.push_back(codes_of_nodes(release.schema, feature));
  }
  const std::vector<double> prior = noisy_shares(synopsis);
  const double prior_rows = 4 * histogram_noise(release.manifest) + 4;
  const std::size_t classes = grid.class_count();
  HistogramCells cells;
  for (std::size_t cell = 0; cell < synopsis.cell_count(); ++cell) {
    // The first axis varies slowest.
    std::vector<std::uint16_t> key(codes.size());
    std::size_t rest = cell;
    for (std::size_t axis = codes.size(); axis-- > 0;) {
      key[axis] = codes[axis][rest % codes[axis].size()];
      rest /= codes[axis].size();
    }
    const auto counts = std::span(synopsis.cell_counts).subspan(cell * classes, classes);
    cells.emplace(std::move(key), verdict_of(counts, prior, prior_rows));
  }
  return make_histogram(grid, {largest_class(prior.data(), prior.size()), prior}, std::move(cells));
}

}  // namespace privpfc
