#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "privpfc/base/strong_index.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// A grid: one level per axis of a GridSpace. Level 0 drops the axis.
using Grid = std::vector<std::uint8_t>;

// All grids over some attributes of a schema: the axes are these attributes, each with its levels.
// Public: it holds nothing but what the schema says.
//
// The order of the axes is chosen for speed (see grid_pool.h). The last one is the chain: the axis
// with the most levels. The others go from most leaves to fewest.
class GridSpace {
 public:
  // Over the attributes that the schema uses; or over some of them, at least one.
  explicit GridSpace(const Schema& schema);
  GridSpace(const Schema& schema, std::vector<AttributeIndex> attributes);

  std::size_t axis_count() const { return axes_.size(); }
  AttributeIndex attribute(std::size_t axis) const { return axes_[axis].attribute; }
  std::size_t level_count(std::size_t axis) const { return axes_[axis].node_counts.size(); }
  std::uint32_t node_count(std::size_t axis, std::size_t level) const {
    return axes_[axis].node_counts[level];
  }
  std::size_t chain() const { return axes_.size() - 1; }
  std::size_t finest_level(std::size_t axis) const { return level_count(axis) - 1; }

  // For each node of the finer level `from`, the node of `to` <= `from` above it.
  std::span<const std::uint16_t> coarsening(std::size_t axis, std::size_t from,
                                            std::size_t to) const {
    return axes_[axis].coarsenings[from * level_count(axis) + to];
  }

  // Where a point's key holds its node of an axis: see Points.
  struct Field {
    std::size_t word;
    unsigned shift;
    std::uint64_t mask;  // of the node, not shifted
  };
  const Field& field(std::size_t axis) const { return axes_[axis].field; }
  std::size_t key_words() const { return key_words_; }

  // The number of cells; at most 2^63 - 1, where it stops counting.
  std::uint64_t cell_count(std::span<const std::uint8_t> grid) const;

 private:
  void lay_out_keys();

  struct Axis {
    AttributeIndex attribute;
    std::vector<std::uint32_t> node_counts;               // by level
    std::vector<std::vector<std::uint16_t>> coarsenings;  // by from * levels + to
    Field field{};
  };
  std::vector<Axis> axes_;
  std::size_t key_words_ = 1;
};

// The attributes that take part, in the schema's order.
std::vector<AttributeIndex> used_attributes(const Schema& schema);

// a * b, or 2^63 - 1 when that is less.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);

}  // namespace privpfc
