#include "privpfc/classifiers/kernel.h"

#include <algorithm>
#include <cmath>

namespace privpfc {

namespace {

double power(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result *= base;
    base *= base;
  }
  return result;
}

}  // namespace

KernelPoints::KernelPoints(const InputVectors& points, const KernelFunction& kernel)
    : points_(points), kernel_(kernel), squared_(points.count) {
  for (std::size_t i = 0; i < points.count; ++i) squared_[i] = dot(points, i, points, i);
}

double KernelPoints::value(std::size_t i, std::size_t j) const {
  return finish(dot(points_, i, points_, j), squared_[i], squared_[j]);
}

double KernelPoints::value(const InputVectors& other, std::size_t i, double squared,
                           std::size_t j) const {
  return finish(dot(other, i, points_, j), squared, squared_[j]);
}

double KernelPoints::finish(double product, double squared_a, double squared_b) const {
  switch (kernel_.kind) {
    case KernelFunction::Kind::kLinear:
      return product;
    case KernelFunction::Kind::kPolynomial:
      return power(kernel_.gamma * product + kernel_.offset, kernel_.degree);
    case KernelFunction::Kind::kRbf:
      // Rounding can make the distance of equal points negative.
      return std::exp(-kernel_.gamma * std::max(0.0, squared_a + squared_b - 2 * product));
  }
  return 0;
}

}  // namespace privpfc
