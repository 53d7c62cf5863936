#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/counting/grid_space.h"

namespace privpfc {

// The rows of a table, equal ones put together: each point is one combination of nodes, with the
// number of its rows of each class. Axes at level 0 play no part.
//
// The nodes of a point are packed into a key of few words (GridSpace::field says where), so that
// dropping an axis is a mask, and two points are compared at once.
struct Points {
  std::size_t classes = 0;
  std::size_t words = 1;
  Grid levels;                        // by axis: what the nodes in the keys are nodes of
  std::vector<std::uint64_t> keys;    // point * words + word
  std::vector<std::uint32_t> counts;  // point * classes + class

  std::size_t size() const { return keys.size() / words; }
  std::uint16_t node(const GridSpace& space, std::size_t point, std::size_t axis) const {
    const GridSpace::Field& field = space.field(axis);
    return static_cast<std::uint16_t>((keys[point * words + field.word] >> field.shift) &
                                      field.mask);
  }
};

// Puts equal points together, and keeps its working memory from one call to the next.
class Grouper {
 public:
  // The same rows seen at coarser levels. Requires levels[axis] <= points.levels[axis] throughout.
  // `result` is overwritten; its memory is used again.
  void coarsen(const GridSpace& space, const Points& points, const Grid& levels, Points& result);

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_;  // an open hash table: the point + 1, or 0
};

}  // namespace privpfc
