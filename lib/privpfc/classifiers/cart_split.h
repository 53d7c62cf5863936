#pragma once

// For the sources of this room only: which way to cut some groups of rows in two.

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/classifiers/cart.h"

namespace privpfc {

// The class weights of groups that stay together: the rows of one number or one category.
class Groups {
 public:
  explicit Groups(std::size_t classes) : classes_(classes) {}

  void clear() { weights_.clear(); }
  std::size_t add() {
    weights_.resize(weights_.size() + classes_, 0);
    return count() - 1;
  }
  std::size_t count() const { return weights_.size() / classes_; }
  std::size_t classes() const { return classes_; }
  double* operator[](std::size_t group) { return weights_.data() + group * classes_; }
  const double* operator[](std::size_t group) const { return weights_.data() + group * classes_; }

 private:
  std::size_t classes_;
  std::vector<double> weights_;
};

// The purity of a set of rows, times its weight: larger is purer, and the difference between that
// of a node and the sum of its children's is what a split gains.
double purity(std::span<const double> class_weights, Impurity impurity);

struct Cut {
  double gain = 0;       // 0: there is none
  std::size_t left = 0;  // so many groups, from the first, go left
  bool missing_goes_left = false;
};

// The best cut of groups that stand in order, with rows that may go either way (`missing`, empty if
// there are none).
Cut best_cut(const Groups& groups, std::span<const std::size_t> order,
             std::span<const double> missing, const GrowOptions& options);

struct Division {
  double gain = 0;
  std::vector<std::uint8_t> goes_left;  // by group
};

// The best division of groups that have no order: see grow_cart().
Division best_division(const Groups& groups, const GrowOptions& options);

}  // namespace privpfc
