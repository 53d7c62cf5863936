#include "privpfc/classifiers/dataset.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace privpfc {

namespace {

// Every value of a row as one whole number, so that rows can be compared and hashed as they lie.
class RowKeys {
 public:
  explicit RowKeys(const Dataset& data) : width_(data.rows.columns.size() + 1) {
    keys_.resize(data.count() * width_);
    for (std::size_t c = 0; c + 1 < width_; ++c) {
      const FeatureColumn& column = data.rows.columns[c];
      for (std::size_t i = 0; i < data.count(); ++i) {
        keys_[i * width_ + c] =
            column.codes.empty() ? key_of(column.numbers[i]) : std::uint64_t{column.codes[i]};
      }
    }
    for (std::size_t i = 0; i < data.count(); ++i) keys_[i * width_ + width_ - 1] = data.labels[i];
  }

  bool less(std::size_t a, std::size_t b) const {
    return std::lexicographical_compare(row(a), row(a) + width_, row(b), row(b) + width_);
  }
  bool equal(std::size_t a, std::size_t b) const {
    return std::equal(row(a), row(a) + width_, row(b));
  }
  std::uint64_t hash(std::size_t i) const {
    std::uint64_t h = 0;
    for (std::size_t c = 0; c < width_; ++c) {
      h = (h ^ row(i)[c]) * 0x9E3779B97F4A7C15U;
      h ^= h >> 29;
    }
    return h;
  }

 private:
  // In the order of the numbers; -0 is 0, all NaNs are one, and the largest.
  static std::uint64_t key_of(double number) {
    if (std::isnan(number)) return ~std::uint64_t{0};
    const auto bits = std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
  const std::uint64_t* row(std::size_t i) const { return keys_.data() + i * width_; }

  std::size_t width_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace

Rows empty_rows(const FeatureSpace& space) {
  Rows rows;
  rows.columns.resize(space.features.size());
  return rows;
}

Status check_rows(const Rows& rows, const FeatureSpace& space) {
  if (rows.columns.size() != space.features.size()) {
    return make_error(ErrorKind::kData, "{} columns where {} features are expected",
                      rows.columns.size(), space.features.size());
  }
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    const Feature& feature = space.features[c];
    const FeatureColumn& column = rows.columns[c];
    const std::size_t size = feature.is_number() ? column.numbers.size() : column.codes.size();
    if (size != rows.count) {
      return make_error(ErrorKind::kData, "feature '{}' has {} values for {} rows", feature.name,
                        size, rows.count);
    }
    for (const double number : column.numbers) {
      if (number < feature.low || number > feature.high) {
        return make_error(ErrorKind::kData, "feature '{}' has a number outside its bounds",
                          feature.name);
      }
    }
    for (const std::uint16_t code : column.codes) {
      if (code >= feature.categories.size() && code != kMissingCode) {
        return make_error(ErrorKind::kData, "feature '{}' has a code that is no category",
                          feature.name);
      }
    }
  }
  return {};
}

Status check_dataset(const Dataset& data, const FeatureSpace& space) {
  PRIVPFC_TRY(check_rows(data.rows, space));
  if (data.labels.size() != data.count() || data.weights.size() != data.count()) {
    return make_error(ErrorKind::kData, "{} labels and {} weights for {} rows", data.labels.size(),
                      data.weights.size(), data.count());
  }
  for (const std::uint8_t label : data.labels) {
    if (label >= space.class_count()) {
      return make_error(ErrorKind::kData, "a label is no class of the schema");
    }
  }
  for (const double weight : data.weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) {
      return make_error(ErrorKind::kData, "a weight is negative or not a finite number");
    }
  }
  return {};
}

Dataset merge_equal_rows(const Dataset& data) {
  const RowKeys keys(data);
  // Hashing first leaves few rows to sort where many are equal, as in a release.
  std::size_t slots = 16;
  while (slots < 2 * data.count()) slots *= 2;
  constexpr std::size_t kFree = ~std::size_t{0};
  std::vector<std::size_t> table(slots, kFree);
  std::vector<std::size_t> distinct;
  std::vector<double> weights(data.count(), 0);
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (!(data.weights[i] > 0)) continue;
    std::size_t slot = keys.hash(i) & (slots - 1);
    while (table[slot] != kFree && !keys.equal(table[slot], i)) slot = (slot + 1) & (slots - 1);
    if (table[slot] == kFree) {
      table[slot] = i;
      distinct.push_back(i);
    }
    weights[table[slot]] += data.weights[i];
  }
  std::sort(distinct.begin(), distinct.end(),
            [&](std::size_t a, std::size_t b) { return keys.less(a, b); });
  Dataset merged = take_rows(data, distinct);
  for (std::size_t i = 0; i < distinct.size(); ++i) merged.weights[i] = weights[distinct[i]];
  return merged;
}

std::vector<double> class_weights(const Dataset& data, std::size_t class_count) {
  std::vector<double> totals(class_count, 0);
  for (std::size_t i = 0; i < data.count(); ++i) totals[data.labels[i]] += data.weights[i];
  return totals;
}

Dataset take_rows(const Dataset& data, const std::vector<std::size_t>& positions) {
  Dataset taken;
  taken.rows.count = positions.size();
  for (const FeatureColumn& column : data.rows.columns) {
    FeatureColumn& target = taken.rows.columns.emplace_back();
    for (const std::size_t i : positions) {
      if (column.codes.empty()) {
        target.numbers.push_back(column.numbers[i]);
      } else {
        target.codes.push_back(column.codes[i]);
      }
    }
  }
  for (const std::size_t i : positions) {
    taken.labels.push_back(data.labels[i]);
    taken.weights.push_back(data.weights[i]);
  }
  return taken;
}

}  // namespace privpfc
