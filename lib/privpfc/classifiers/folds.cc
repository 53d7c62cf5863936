#include "privpfc/classifiers/folds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace privpfc {

namespace {

// SplitMix64: the standard library's distributions differ between machines.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace

std::vector<std::size_t> seeded_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) {
    // The bias of % is below count / 2^64.
    std::swap(order[i - 1], order[next_random(seed) % i]);
  }
  return order;
}

std::vector<std::vector<double>> deal_folds(std::span<const std::uint8_t> labels,
                                            std::span<const double> weights, std::size_t folds,
                                            std::uint64_t seed) {
  std::vector<std::size_t> order = seeded_order(labels.size(), seed);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  std::vector<std::vector<double>> parts(folds, std::vector<double>(labels.size(), 0));
  const auto round = static_cast<double>(folds);
  double place = 0;  // on the line, counted from the start of the current round
  for (const std::size_t i : order) {
    double left = weights[i];
    const double rounds = std::floor(left / round);
    if (rounds > 0) {
      for (auto& fold : parts) fold[i] += rounds;
      left -= rounds * round;
    }
    while (left > 0) {
      const double unit = std::floor(place);
      const double part = std::min(left, unit + 1 - place);
      if (!(part > 0)) break;  // less than the line can tell apart
      parts[static_cast<std::size_t>(unit)][i] += part;
      left -= part;
      place += part;
      if (place >= round) place = 0;
    }
  }
  return parts;
}

}  // namespace privpfc
