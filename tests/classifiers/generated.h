#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/schema/schema_reader.h"

namespace privpfc::testing {

// Small numbers that are the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t z = (state_ ^ (state_ >> 31)) * 0xBF58476D1CE4E5B9U;
    return z ^ (z >> 29);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  double normal() {
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
  }

 private:
  std::uint64_t state_;
};

// Two numbers, a category of five (may be missing), an ordered one of four; two to five classes.
inline Schema generated_schema(std::size_t classes) {
  static const char* const kClasses[] = {"[a, b]", "[a, b, c]", "[a, b, c, d]", "[a, b, c, d, e]"};
  const std::string text =
      "name: generated\nlabel: {column: y, classes: " + std::string(kClasses[classes - 2]) +
      "}\nattributes:\n"
      "  x: {type: real, domain: [-4, 4], levels: [8, 4]}\n"
      "  n: {type: integer, domain: [0, 9], levels: [5]}\n"
      "  c: {type: categorical, missing: ['?'], tree: {P: [p, q], R: [r, s, t]}}\n"
      "  o: {type: ordinal, values: [low, middle, high, top]}\n";
  SchemaReading reading = read_schema_text(text);
  REQUIRE(reading.schema.has_value());
  return *std::move(reading.schema);
}

inline FeatureSpace generated_space(std::size_t classes) {
  const Schema schema = generated_schema(classes);
  auto space = make_feature_space(schema, plain_views(schema));
  REQUIRE(space.ok());
  return *std::move(space);
}

// Rows whose class depends on the features, with noise. Numbers lie on a coarse raster so that rows
// repeat; weights are counts from 0 to 4; a tenth of `x` and of `c` is missing if asked for.
inline Dataset generated_data(std::size_t classes, std::size_t rows, std::uint64_t seed,
                              bool with_missing = true) {
  Random random(seed);
  Dataset data;
  data.rows.count = rows;
  data.rows.columns.resize(4);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t c = random.below(5);
    const std::size_t o = random.below(4);
    const std::size_t n = random.below(10);
    const double x = std::round(4 * std::fmax(-4, std::fmin(4, random.normal()))) / 4;
    const double score = x + 0.2 * static_cast<double>(n) + (c % 2 == 0 ? 0.7 : -0.7) +
                         0.3 * static_cast<double>(o) + 0.5 * random.normal();
    const double place = std::fmin(0.999, std::fmax(0, (score + 2.5) / 7));
    const bool no_x = with_missing && random.below(10) == 0;
    const bool no_c = with_missing && random.below(10) == 0;
    data.rows.columns[0].numbers.push_back(no_x ? std::numeric_limits<double>::quiet_NaN() : x);
    data.rows.columns[1].numbers.push_back(static_cast<double>(n));
    data.rows.columns[2].codes.push_back(no_c ? kMissingCode : static_cast<std::uint16_t>(c));
    data.rows.columns[3].codes.push_back(static_cast<std::uint16_t>(o));
    data.labels.push_back(static_cast<std::uint8_t>(place * static_cast<double>(classes)));
    data.weights.push_back(static_cast<double>(random.below(5)));
  }
  return data;
}

// Each row as often as its weight says, in another order.
inline Dataset copies_of(const Dataset& data) {
  std::vector<std::size_t> positions;
  for (std::size_t i = data.count(); i-- > 0;) {
    positions.insert(positions.end(), static_cast<std::size_t>(data.weights[i]), i);
  }
  for (std::size_t i = positions.size(); i > 1; --i) {
    std::swap(positions[i - 1], positions[(i * 7919) % i]);
  }
  Dataset copies = take_rows(data, positions);
  copies.weights.assign(copies.count(), 1);
  return copies;
}

}  // namespace privpfc::testing
