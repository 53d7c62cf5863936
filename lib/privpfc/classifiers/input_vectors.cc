#include "privpfc/classifiers/input_vectors.h"

#include <cmath>

namespace privpfc {

InputMap::InputMap(const FeatureSpace& space) {
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    if (space.features[f].is_number()) numbers_.push_back({.feature = f});
  }
  dimension_ = numbers_.size();
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    if (space.features[f].is_number()) continue;
    categories_.push_back({f, dimension_, space.features[f].categories.size()});
    dimension_ += categories_.back().size;
  }
}

InputMap::InputMap(const FeatureSpace& space, std::vector<Number> numbers) : InputMap(space) {
  require(numbers.size() == numbers_.size(), "one scaling per numeric feature");
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers_[k].shift = numbers[k].shift;
    numbers_[k].scale = numbers[k].scale;
  }
}

InputMap InputMap::fit(const FeatureSpace& space, const Dataset& data, Scaling scaling) {
  InputMap map(space);
  for (Number& number : map.numbers_) {
    const Feature& feature = space.features[number.feature];
    const double range = feature.high - feature.low;
    if (scaling == Scaling::kBounds) {
      number.shift = feature.low + range / 2;
      number.scale = range > 0 ? 2 / range : 0;
      continue;
    }
    const std::vector<double>& values = data.rows.columns[number.feature].numbers;
    double weight = 0;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      weight += data.weights[i];
      sum += data.weights[i] * values[i];
    }
    number.shift = weight > 0 ? sum / weight : feature.low;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      const double distance = values[i] - number.shift;
      squares += data.weights[i] * distance * distance;
    }
    const double deviation = weight > 0 ? std::sqrt(squares / weight) : 0;
    // A column of one value says nothing, and its rounding errors must not be blown up.
    number.scale = deviation > 1e-9 * range ? 1 / deviation : 0;
  }
  return map;
}

InputVectors InputMap::map(const Rows& rows, std::size_t begin, std::size_t end) const {
  InputVectors points;
  points.count = end - begin;
  points.number_width = numbers_.size();
  points.category_width = categories_.size();
  points.numbers.resize(points.count * numbers_.size());
  points.ones.resize(points.count * categories_.size());
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    const Number& number = numbers_[k];
    const double* values = rows.columns[number.feature].numbers.data() + begin;
    for (std::size_t i = 0; i < points.count; ++i) {
      points.numbers[i * numbers_.size() + k] =
          std::isnan(values[i]) ? 0 : (values[i] - number.shift) * number.scale;
    }
  }
  for (std::size_t k = 0; k < categories_.size(); ++k) {
    const std::uint16_t* codes = rows.columns[categories_[k].feature].codes.data() + begin;
    for (std::size_t i = 0; i < points.count; ++i) {
      points.ones[i * categories_.size() + k] =
          codes[i] == kMissingCode ? InputVectors::kNoOne
                                   : static_cast<std::uint32_t>(categories_[k].offset + codes[i]);
    }
  }
  return points;
}

double total_variance(const InputVectors& points, std::size_t dimension,
                      std::span<const double> weights) {
  std::vector<double> sums(dimension, 0);
  double weight = 0;
  double squares = 0;
  for (std::size_t i = 0; i < points.count; ++i) {
    weight += weights[i];
    squares += weights[i] * dot(points, i, points, i);
    add_scaled(points, i, weights[i], sums.data());
  }
  if (!(weight > 0)) return 0;
  double variance = squares / weight;
  for (const double sum : sums) variance -= (sum / weight) * (sum / weight);
  return variance;
}

double dot(const InputVectors& a, std::size_t i, const InputVectors& b, std::size_t j) {
  double sum = 0;
  const double* x = a.number_row(i);
  const double* y = b.number_row(j);
  for (std::size_t k = 0; k < a.number_width; ++k) sum += x[k] * y[k];
  const std::uint32_t* p = a.one_row(i);
  const std::uint32_t* q = b.one_row(j);
  std::uint32_t matches = 0;
  for (std::size_t k = 0; k < a.category_width; ++k) {
    matches += static_cast<std::uint32_t>(p[k] == q[k] && p[k] != InputVectors::kNoOne);
  }
  return sum + matches;
}

InputVectors take_points(const InputVectors& points, std::span<const std::size_t> positions) {
  InputVectors taken;
  taken.count = positions.size();
  taken.number_width = points.number_width;
  taken.category_width = points.category_width;
  for (const std::size_t i : positions) {
    taken.numbers.insert(taken.numbers.end(), points.number_row(i),
                         points.number_row(i) + points.number_width);
    taken.ones.insert(taken.ones.end(), points.one_row(i),
                      points.one_row(i) + points.category_width);
  }
  return taken;
}

}  // namespace privpfc
