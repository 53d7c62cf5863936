#include "privpfc/counting/row_counts.h"

#include <algorithm>
#include <bit>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

// A hash table that grows with the number of different keys.
class PointsBuilder {
 public:
  PointsBuilder(std::size_t words, std::size_t classes) : slots_(1 << 10, 0) {
    points_.words = words;
    points_.classes = classes;
  }

  void add_row(const std::uint64_t* key, std::size_t label) {
    std::size_t slot = find(key);
    if (slots_[slot] == 0) {
      points_.keys.insert(points_.keys.end(), key, key + points_.words);
      points_.counts.resize(points_.counts.size() + points_.classes, 0);
      slots_[slot] = static_cast<std::uint32_t>(points_.size());
      if (2 * points_.size() > slots_.size()) grow();
      slot = find(key);
    }
    ++points_.counts[(slots_[slot] - 1) * points_.classes + label];
  }

  Points take() && { return std::move(points_); }

 private:
  std::size_t find(const std::uint64_t* key) const {
    const std::size_t words = points_.words;
    std::uint64_t hash = 0;
    for (std::size_t word = 0; word < words; ++word) {
      hash = (hash ^ key[word]) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != 0 &&
           !std::equal(key, key + words, points_.keys.data() + (slots_[slot] - 1) * words)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }

  void grow() {
    slots_.assign(4 * slots_.size(), 0);
    for (std::size_t point = 0; point < points_.size(); ++point) {
      slots_[find(points_.keys.data() + point * points_.words)] =
          static_cast<std::uint32_t>(point + 1);
    }
  }

  Points points_;
  std::vector<std::uint32_t> slots_;  // the point + 1, or 0
};

}  // namespace

std::vector<std::int64_t> count_classes(const EncodedTable& table, std::size_t classes) {
  std::vector<std::int64_t> counts(classes, 0);
  for (const EncodedBatch& batch : table.batches()) {
    for (const std::uint8_t label : batch.classes) ++counts[label];
  }
  return counts;
}

std::vector<std::int64_t> count_leaves(const EncodedTable& table, AttributeIndex attribute,
                                       std::size_t leaves, std::size_t classes) {
  std::vector<std::int64_t> counts(leaves * classes, 0);
  for (const EncodedBatch& batch : table.batches()) {
    std::visit(
        [&](auto codes) {
          for (std::size_t row = 0; row < batch.rows; ++row) {
            ++counts[codes[row] * classes + batch.classes[row]];
          }
        },
        batch.attribute(attribute));
  }
  return counts;
}

Points group_rows(const EncodedTable& table, const GridSpace& space, std::size_t classes,
                  const Grid& levels) {
  require(table.rows() <= kMostRows, "a table has fewer than 2^31 rows");
  const std::size_t words = space.key_words();
  PointsBuilder builder(words, classes);
  std::vector<std::uint64_t> keys;
  for (const EncodedBatch& batch : table.batches()) {
    keys.assign(batch.rows * words, 0);
    for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
      if (levels[axis] == 0) continue;
      const GridSpace::Field field = space.field(axis);
      const std::uint16_t* map =
          space.coarsening(axis, space.finest_level(axis), levels[axis]).data();
      std::visit(
          [&](auto codes) {
            std::uint64_t* key = keys.data() + field.word;
            for (std::size_t row = 0; row < batch.rows; ++row, key += words) {
              *key |= std::uint64_t{map[codes[row]]} << field.shift;
            }
          },
          batch.attribute(space.attribute(axis)));
    }
    for (std::size_t row = 0; row < batch.rows; ++row) {
      builder.add_row(keys.data() + row * words, batch.classes[row]);
    }
  }
  Points points = std::move(builder).take();
  points.levels = levels;
  return points;
}

}  // namespace privpfc
