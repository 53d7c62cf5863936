#pragma once

#include <vector>

#include "privpfc/classifiers/input_vectors.h"

namespace privpfc {

struct KernelFunction {
  enum class Kind { kLinear, kPolynomial, kRbf };
  Kind kind = Kind::kRbf;
  double gamma = 1;   // polynomial, RBF
  double offset = 0;  // polynomial: (gamma x'y + offset)^degree
  int degree = 3;
};

// The kernel between one set of points and itself or others; squared lengths are kept.
class KernelPoints {
 public:
  KernelPoints(const InputVectors& points, const KernelFunction& kernel);

  std::size_t count() const { return points_.count; }
  // K(x_i, x_j)
  double value(std::size_t i, std::size_t j) const;
  // K(other_i, x_j); `squared` is the squared length of other_i.
  double value(const InputVectors& other, std::size_t i, double squared, std::size_t j) const;
  const KernelFunction& kernel() const { return kernel_; }

 private:
  double finish(double product, double squared_a, double squared_b) const;

  const InputVectors& points_;
  KernelFunction kernel_;
  std::vector<double> squared_;
};

}  // namespace privpfc
