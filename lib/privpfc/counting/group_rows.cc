#include <algorithm>

#include "privpfc/base/contract.h"
#include "privpfc/base/parallel.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/counting/row_keys.h"

namespace privpfc {
namespace {

using Batches = std::span<const EncodedBatch>;

// For each leaf of an axis, its node at this level, times `factor`.
template <typename Number>
std::vector<Number> scaled_nodes(const GridSpace& space, std::size_t axis, std::size_t level,
                                 Number factor) {
  std::vector<Number> scaled;
  for (const std::uint16_t node : space.coarsening(axis, space.finest_level(axis), level)) {
    scaled.push_back(static_cast<Number>(node * factor));
  }
  return scaled;
}

// --- A counter for every combination of nodes, where there are few enough of them. ---

// Counters of one thread: 128 MiB, which two classes of 2^24 combinations fill; and of all threads.
constexpr std::uint64_t kMostCounters = std::uint64_t{1} << 25;
constexpr std::uint64_t kMostCountersOfAll = 2 * kMostCounters;

class DenseGrouping {
 public:
  DenseGrouping(const GridSpace& space, std::size_t classes, const Grid& levels)
      : space_(space), classes_(classes), levels_(levels), cells_(space.cell_count(levels)) {}

  bool is_worthwhile(std::uint64_t rows) const {
    const std::uint64_t counters = saturating_product(cells_, classes_);
    return counters <= kMostCounters && counters / 4 <= rows;
  }

  Points group(const EncodedTable& table, unsigned threads) const {
    const Batches batches = table.batches();
    const std::size_t most = kMostCountersOfAll / (cells_ * classes_);
    const std::size_t pieces =
        std::min({std::max<std::size_t>(batches.size(), 1), thread_count(threads), most});
    std::vector<Counters> counters(pieces);
    run_pieces(pieces, threads, [&](std::size_t piece) {
      const std::size_t begin = batches.size() * piece / pieces;
      const std::size_t end = batches.size() * (piece + 1) / pieces;
      counters[piece] = count(batches.subspan(begin, end - begin));
    });
    for (std::size_t piece = 1; piece < pieces; ++piece) {
      Counters& sums = counters[0];
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counters[piece][i];
      Counters().swap(counters[piece]);
    }
    return collect(counters[0]);
  }

 private:
  using Counters = std::vector<std::uint32_t>;

  Counters count(Batches batches) const {
    RowSums<std::uint32_t> sums;
    auto stride = static_cast<std::uint32_t>(cells_ * classes_);
    for (std::size_t axis = 0; axis < space_.axis_count(); ++axis) {
      if (levels_[axis] == 0) continue;
      stride /= space_.node_count(axis, levels_[axis]);
      sums.add_axis(space_.attribute(axis), scaled_nodes(space_, axis, levels_[axis], stride));
    }
    Counters counters(cells_ * classes_, 0);
    std::vector<std::uint32_t> numbers;
    for (const EncodedBatch& batch : batches) {
      sums.compute(batch, numbers);
      for (std::size_t row = 0; row < batch.rows; ++row) {
        ++counters[numbers[row] + batch.classes[row]];
      }
    }
    return counters;
  }

  // The combinations that have rows, in ascending order. Their keys are counted up along with them.
  Points collect(const Counters& counters) const {
    Points points;
    points.classes = classes_;
    points.words = space_.key_words();
    const auto has_rows = [&](std::size_t cell) {
      std::uint32_t any = 0;
      for (std::size_t c = 0; c < classes_; ++c) any |= counters[cell * classes_ + c];
      return any != 0;
    };
    std::size_t size = 0;
    for (std::size_t cell = 0; cell < cells_; ++cell) size += has_rows(cell) ? 1 : 0;
    points.keys.reserve(size * points.words);
    points.counts.reserve(size * classes_);
    std::vector<std::uint64_t> key(points.words, 0);
    std::vector<std::uint32_t> nodes(space_.axis_count(), 0);
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      if (has_rows(cell)) {
        const auto first = counters.begin() + static_cast<std::ptrdiff_t>(cell * classes_);
        points.keys.insert(points.keys.end(), key.begin(), key.end());
        points.counts.insert(points.counts.end(), first,
                             first + static_cast<std::ptrdiff_t>(classes_));
      }
      count_up(nodes, key);
    }
    return points;
  }

  void count_up(std::vector<std::uint32_t>& nodes, std::vector<std::uint64_t>& key) const {
    for (std::size_t axis = nodes.size(); axis-- > 0;) {
      const GridSpace::Field& field = space_.field(axis);
      if (++nodes[axis] < space_.node_count(axis, levels_[axis])) {
        key[field.word] += std::uint64_t{1} << field.shift;
        return;
      }
      key[field.word] &= ~(field.mask << field.shift);
      nodes[axis] = 0;
    }
  }

  const GridSpace& space_;
  const std::size_t classes_;
  const Grid& levels_;
  const std::uint64_t cells_;
};

// --- Otherwise a hash table that grows with the number of different keys. ---

class PointsBuilder {
 public:
  PointsBuilder(std::size_t words, std::size_t classes) : slots_(1 << 10, 0) {
    points_.words = words;
    points_.classes = classes;
  }

  static std::uint64_t hash(const std::uint64_t* key, std::size_t words) {
    std::uint64_t hash = 0;
    for (std::size_t word = 0; word < words; ++word) {
      hash = (hash ^ key[word]) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return hash;
  }

  void expect(std::uint64_t hash) const {
    __builtin_prefetch(slots_.data() + (hash & (slots_.size() - 1)));
  }

  void add_row(const std::uint64_t* key, std::uint64_t hash, std::size_t label) {
    std::size_t slot = find(key, hash);
    if (slots_[slot] == 0) {
      points_.keys.insert(points_.keys.end(), key, key + points_.words);
      points_.counts.resize(points_.counts.size() + points_.classes, 0);
      slots_[slot] = static_cast<std::uint32_t>(points_.size());
      if (2 * points_.size() > slots_.size()) grow();
      slot = find(key, hash);
    }
    ++points_.counts[(slots_[slot] - 1) * points_.classes + label];
  }

  Points take() && { return std::move(points_); }

 private:
  std::size_t find(const std::uint64_t* key, std::uint64_t hash) const {
    const std::size_t words = points_.words;
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
      const std::uint64_t* key = points_.keys.data() + point * points_.words;
      slots_[find(key, hash(key, points_.words))] = static_cast<std::uint32_t>(point + 1);
    }
  }

  Points points_;
  std::vector<std::uint32_t> slots_;  // the point + 1, or 0
};

// Each thread looks at all rows, and keeps those whose hash is its own: nothing is shared.
class HashGrouping {
 public:
  HashGrouping(const GridSpace& space, std::size_t classes, const Grid& levels)
      : words_(space.key_words()), classes_(classes), sums_(words_) {
    for (std::size_t axis = 0; axis < space.axis_count() && space.field(axis).word == 0; ++axis) {
      leading_fields_.push_back(space.field(axis));
    }
    for (std::size_t axis = 0; axis < space.axis_count(); ++axis) {
      if (levels[axis] == 0) continue;
      const GridSpace::Field& field = space.field(axis);
      sums_[field.word].add_axis(
          space.attribute(axis),
          scaled_nodes(space, axis, levels[axis], std::uint64_t{1} << field.shift));
    }
  }

  Points group(const EncodedTable& table, unsigned threads) const {
    const std::size_t parts = thread_count(threads);
    std::vector<Points> points(parts);
    run_pieces(parts, threads,
               [&](std::size_t part) { points[part] = group_part(table.batches(), part, parts); });
    for (std::size_t part = 1; part < parts; ++part) {
      points[0].keys.insert(points[0].keys.end(), points[part].keys.begin(),
                            points[part].keys.end());
      points[0].counts.insert(points[0].counts.end(), points[part].counts.begin(),
                              points[part].counts.end());
      points[part] = {};
    }
    return points[0].size() < kManyPoints ? std::move(points[0]) : sorted(points[0]);
  }

 private:
  // Points that share their first nodes stand together, so that counting them by cells touches
  // memory in order. Few points are counted from the cache, where an order only makes one addition
  // wait for the other.
  static constexpr std::size_t kManyPoints = std::size_t{1} << 17;
  Points sorted(const Points& points) const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order(points.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::uint64_t leading = 0;
      for (const GridSpace::Field& field : leading_fields_) {
        const std::uint64_t node =
            (points.keys[i * words_ + field.word] >> field.shift) & field.mask;
        leading = leading * (field.mask + 1) + node;
      }
      order[i] = {leading, static_cast<std::uint32_t>(i)};
    }
    std::sort(order.begin(), order.end());
    Points result;
    result.words = words_;
    result.classes = classes_;
    result.keys.reserve(points.keys.size());
    result.counts.reserve(points.counts.size());
    for (const auto& [leading, i] : order) {
      const auto key = points.keys.begin() + static_cast<std::ptrdiff_t>(i * words_);
      const auto counts = points.counts.begin() + static_cast<std::ptrdiff_t>(i * classes_);
      result.keys.insert(result.keys.end(), key, key + static_cast<std::ptrdiff_t>(words_));
      result.counts.insert(result.counts.end(), counts,
                           counts + static_cast<std::ptrdiff_t>(classes_));
    }
    return result;
  }

  Points group_part(Batches batches, std::size_t part, std::size_t parts) const {
    PointsBuilder builder(words_, classes_);
    std::vector<std::uint64_t> one_word;
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint32_t> rows;  // those of this part
    for (const EncodedBatch& batch : batches) {
      keys.resize(batch.rows * words_);
      for (std::size_t word = 0; word < words_; ++word) {
        sums_[word].compute(batch, one_word);
        for (std::size_t row = 0; row < batch.rows; ++row) {
          keys[row * words_ + word] = one_word[row];
        }
      }
      hashes.clear();
      rows.clear();
      for (std::size_t row = 0; row < batch.rows; ++row) {
        const std::uint64_t hash = PointsBuilder::hash(keys.data() + row * words_, words_);
        if ((hash >> 40) % parts != part) continue;
        hashes.push_back(hash);
        rows.push_back(static_cast<std::uint32_t>(row));
      }
      constexpr std::size_t kAhead = 16;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i + kAhead < rows.size()) builder.expect(hashes[i + kAhead]);
        builder.add_row(keys.data() + rows[i] * words_, hashes[i], batch.classes[rows[i]]);
      }
    }
    return std::move(builder).take();
  }

  const std::size_t words_;
  const std::size_t classes_;
  std::vector<RowSums<std::uint64_t>> sums_;      // by word of the key
  std::vector<GridSpace::Field> leading_fields_;  // of the first axes, as many as 64 bits hold
};

}  // namespace

Points group_rows(const EncodedTable& table, const GridSpace& space, std::size_t classes,
                  const Grid& levels, unsigned threads) {
  require(table.rows() <= kMostRows, "a table has fewer than 2^31 rows");
  const DenseGrouping dense(space, classes, levels);
  Points points = dense.is_worthwhile(table.rows())
                      ? dense.group(table, threads)
                      : HashGrouping(space, classes, levels).group(table, threads);
  points.levels = levels;
  return points;
}

}  // namespace privpfc
