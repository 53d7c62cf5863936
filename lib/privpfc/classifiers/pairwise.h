#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace privpfc {

// One-against-one: a decision value for each pair of classes (a, b) with a < b, in the order
// (0,1), (0,2), ..., (1,2), ...; a positive value speaks for a.

inline std::size_t pair_count(std::size_t classes) {
  return classes * (classes - 1) / 2;
}

// The class that most pairs speak for; the first of several.
std::uint8_t vote(std::span<const double> decisions, std::size_t classes);

// Turns a decision value d into the probability 1 / (1 + exp(slope d + offset)) of the pair's first
// class (Platt).
struct Sigmoid {
  double slope = -1;
  double offset = 0;

  double operator()(double decision) const;
};

// The sigmoid of largest weighted likelihood, with Platt's softened targets, by Newton's method
// (Lin, Lin and Weng 2007). `first` says for each decision whether its point is of the first class.
Sigmoid fit_sigmoid(std::span<const double> decisions, std::span<const std::uint8_t> first,
                    std::span<const double> weights);

// Class probabilities that agree best with the pairs' ones (Wu, Lin and Weng 2004, second method).
void couple(std::span<const double> pair_probabilities, std::span<double> probabilities);

}  // namespace privpfc
