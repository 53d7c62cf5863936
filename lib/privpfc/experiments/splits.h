#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace privpfc {

// One way to divide the rows: train on some, test on the others.
struct Split {
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> test;
};

// `folds` splits, each row in the test part of exactly one, every class spread evenly over the
// folds in a seeded order. Requires folds >= 2.
std::vector<Split> stratified_splits(std::span<const std::uint8_t> labels, std::size_t folds,
                                     std::uint64_t seed);

// One split per fold number that occurs; its rows are the test part.
std::vector<Split> splits_by_fold(std::span<const std::uint32_t> fold_of_row);

}  // namespace privpfc
