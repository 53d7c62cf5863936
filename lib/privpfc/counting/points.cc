#include "privpfc/counting/points.h"

#include <algorithm>
#include <bit>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

std::uint64_t scramble(std::uint64_t key) {
  key *= 0x9e3779b97f4a7c15u;
  return key ^ (key >> 32);
}

// Writes the keys at the new levels: fields of dropped axes are cleared, those of coarser axes
// translated, one axis after the other.
void translate(const GridSpace& space, const Points& points, const Grid& levels,
               std::vector<std::uint64_t>& keys) {
  const std::size_t words = points.words;
  std::vector<std::uint64_t> kept(words, 0);
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    require(levels[axis] <= points.levels[axis], "points can only be coarsened");
    const GridSpace::Field& field = space.field(axis);
    if (levels[axis] != 0) kept[field.word] |= field.mask << field.shift;
  }
  const std::size_t size = points.size();
  keys.resize(size * words);
  for (std::size_t word = 0; word < words; ++word) {
    for (std::size_t i = word; i < keys.size(); i += words) keys[i] = points.keys[i] & kept[word];
  }
  for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
    if (levels[axis] == 0 || levels[axis] == points.levels[axis]) continue;
    const auto [word, shift, mask] = space.field(axis);
    const std::uint16_t* map = space.coarsening(axis, points.levels[axis], levels[axis]).data();
    for (std::size_t i = word; i < keys.size(); i += words) {
      const std::uint64_t node = (keys[i] >> shift) & mask;
      keys[i] ^= (node ^ map[node]) << shift;
    }
  }
}

// Puts points with equal keys together. kWords and kClasses are 0 when known at run time only.
template <std::size_t kWords, std::size_t kClasses>
void merge(const std::vector<std::uint64_t>& keys, const Points& points,
           std::vector<std::uint32_t>& slots, Points& result) {
  const std::size_t words = kWords != 0 ? kWords : points.words;
  const std::size_t classes = kClasses != 0 ? kClasses : points.classes;
  const std::size_t size = points.size();
  // Room for the case that no two points become equal; cut down below.
  result.keys.resize(size * words);
  result.counts.resize(size * classes);
  const std::size_t capacity = std::bit_ceil(2 * size + 2);
  slots.assign(capacity, 0);
  const std::size_t last_slot = capacity - 1;
  std::uint32_t* const slot_of = slots.data();
  std::uint64_t* const result_keys = result.keys.data();
  std::uint32_t* const result_counts = result.counts.data();
  const std::uint32_t* from = points.counts.data();
  std::uint32_t distinct = 0;
  for (const std::uint64_t* key = keys.data(); key != keys.data() + size * words;
       key += words, from += classes) {
    std::uint64_t hash = key[0];
    for (std::size_t word = 1; word < words; ++word) hash = scramble(hash) + key[word];
    std::size_t slot = scramble(hash) & last_slot;
    while (slot_of[slot] != 0 &&
           !std::equal(key, key + words, result_keys + (slot_of[slot] - 1) * words)) {
      slot = (slot + 1) & last_slot;
    }
    if (slot_of[slot] == 0) {
      std::copy_n(key, words, result_keys + distinct * words);
      std::copy_n(from, classes, result_counts + distinct * classes);
      slot_of[slot] = ++distinct;
    } else {
      std::uint32_t* to = result_counts + (slot_of[slot] - 1) * classes;
      for (std::size_t c = 0; c < classes; ++c) to[c] += from[c];
    }
  }
  result.keys.resize(distinct * words);
  result.counts.resize(distinct * classes);
}

}  // namespace

void Grouper::coarsen(const GridSpace& space, const Points& points, const Grid& levels,
                      Points& result) {
  translate(space, points, levels, keys_);
  result.classes = points.classes;
  result.words = points.words;
  result.levels = levels;
  if (points.words == 1 && points.classes == 2) {
    merge<1, 2>(keys_, points, slots_, result);
  } else if (points.words == 1 && points.classes == 1) {
    merge<1, 1>(keys_, points, slots_, result);
  } else {
    merge<0, 0>(keys_, points, slots_, result);
  }
}

}  // namespace privpfc
