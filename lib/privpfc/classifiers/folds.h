#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace privpfc {

// The numbers 0 .. count - 1 in an order that depends on the seed alone, on every machine.
std::vector<std::size_t> seeded_order(std::size_t count, std::uint64_t seed);

// How much of each point lies in each fold: [fold][point]; a point's parts add up to its weight.
//
// A point of weight n must be dealt as n equal rows would be, so points are laid end to end along a
// line, each as long as its weight, class by class and within a class in a seeded order; the first
// unit of the line goes to the first fold, the next to the second, and so on round. Folds are then
// of equal size in every class. Copies agree with weights when equal rows have been merged before.
std::vector<std::vector<double>> deal_folds(std::span<const std::uint8_t> labels,
                                            std::span<const double> weights, std::size_t folds,
                                            std::uint64_t seed);

}  // namespace privpfc
