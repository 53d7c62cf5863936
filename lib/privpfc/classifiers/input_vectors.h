#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/classifiers/dataset.h"

namespace privpfc {

// Rows as vectors, for learners that need them: numbers scaled, categories one-hot. Of a one-hot
// block only the place of its 1 is kept.
struct InputVectors {
  std::size_t count = 0;
  std::size_t number_width = 0;
  std::size_t category_width = 0;
  std::vector<double> numbers;      // row-major
  std::vector<std::uint32_t> ones;  // row-major; kNoOne where the category is missing

  static constexpr std::uint32_t kNoOne = 0xFFFFFFFF;

  const double* number_row(std::size_t i) const { return numbers.data() + i * number_width; }
  const std::uint32_t* one_row(std::size_t i) const { return ones.data() + i * category_width; }
};

enum class Scaling {
  kStandard,  // mean 0 and deviation 1, by the weights of the training data
  kBounds,    // the public bounds become -1 and 1
};

// From rows to points. A missing number becomes 0 (the mean, or the middle of the bounds), a
// missing category a block of zeros.
class InputMap {
 public:
  struct Number {
    std::size_t feature = 0;
    double shift = 0;
    double scale = 0;
  };

  static InputMap fit(const FeatureSpace& space, const Dataset& data, Scaling scaling);
  // For a model file: `numbers` in the order of the numeric features.
  InputMap(const FeatureSpace& space, std::vector<Number> numbers);

  // The length of the vectors: numbers first, then the one-hot blocks.
  std::size_t dimension() const { return dimension_; }
  const std::vector<Number>& numbers() const { return numbers_; }

  InputVectors map(const Rows& rows, std::size_t begin, std::size_t end) const;

  struct Category {
    std::size_t feature = 0;
    std::size_t offset = 0;  // of its one-hot block
    std::size_t size = 0;
  };
  const std::vector<Category>& categories() const { return categories_; }

 private:
  explicit InputMap(const FeatureSpace& space);

  std::vector<Number> numbers_;
  std::vector<Category> categories_;
  std::size_t dimension_ = 0;
};

// The sum over the dimensions of their weighted variances.
double total_variance(const InputVectors& points, std::size_t dimension,
                      std::span<const double> weights);

// w'x, where `vector` has one entry per dimension.
inline double dot(const InputVectors& points, std::size_t i, const double* vector) {
  double sum = 0;
  const double* numbers = points.number_row(i);
  for (std::size_t k = 0; k < points.number_width; ++k) sum += numbers[k] * vector[k];
  const std::uint32_t* ones = points.one_row(i);
  for (std::size_t k = 0; k < points.category_width; ++k) {
    if (ones[k] != InputVectors::kNoOne) sum += vector[ones[k]];
  }
  return sum;
}

// vector += factor * x
inline void add_scaled(const InputVectors& points, std::size_t i, double factor, double* vector) {
  const double* numbers = points.number_row(i);
  for (std::size_t k = 0; k < points.number_width; ++k) vector[k] += factor * numbers[k];
  const std::uint32_t* ones = points.one_row(i);
  for (std::size_t k = 0; k < points.category_width; ++k) {
    if (ones[k] != InputVectors::kNoOne) vector[ones[k]] += factor;
  }
}

// x'y
double dot(const InputVectors& a, std::size_t i, const InputVectors& b, std::size_t j);

InputVectors take_points(const InputVectors& points, std::span<const std::size_t> positions);

}  // namespace privpfc
