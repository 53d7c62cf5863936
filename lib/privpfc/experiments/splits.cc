#include "privpfc/experiments/splits.h"

#include <algorithm>

#include "privpfc/base/contract.h"
#include "privpfc/classifiers/folds.h"

namespace privpfc {

std::vector<Split> stratified_splits(std::span<const std::uint8_t> labels, std::size_t folds,
                                     std::uint64_t seed) {
  require(folds >= 2, "at least two folds");
  std::vector<std::uint32_t> fold_of_row(labels.size());
  std::vector<std::size_t> order = seeded_order(labels.size(), seed);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  // Dealt out like cards, on through all classes, so that folds differ by one row at most.
  for (std::size_t i = 0; i < order.size(); ++i) {
    fold_of_row[order[i]] = static_cast<std::uint32_t>(i % folds);
  }
  std::vector<Split> splits = splits_by_fold(fold_of_row);
  splits.resize(folds);
  return splits;
}

std::vector<Split> splits_by_fold(std::span<const std::uint32_t> fold_of_row) {
  const std::uint32_t folds =
      fold_of_row.empty() ? 0 : *std::max_element(fold_of_row.begin(), fold_of_row.end()) + 1;
  std::vector<Split> splits(folds);
  for (std::size_t row = 0; row < fold_of_row.size(); ++row) {
    for (std::uint32_t fold = 0; fold < folds; ++fold) {
      auto& part = fold_of_row[row] == fold ? splits[fold].test : splits[fold].train;
      part.push_back(static_cast<std::uint32_t>(row));
    }
  }
  return splits;
}

}  // namespace privpfc
