#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "privpfc/counting/points.h"
#include "privpfc/pipeline/pool_plan.h"
#include "privpfc/privacy/private.h"
#include "privpfc/quality/misclassification.h"
#include "privpfc/table/encoded_table.h"

namespace privpfc {

// What `publish` computes from the rows alone, before any noise: the grouped rows and the grids'
// scores. Kept here, it serves further runs on the same table, which an experiment makes many of.
// It is private, and changes nothing but the time.
class PublishMemory {
 public:
  // Pools are scored up to this many times the cells asked for, so that a later run with a slightly
  // larger noisy number of rows finds its grids here. 1: no more than asked for.
  explicit PublishMemory(double ahead = 1) : ahead_(ahead) {}

  // Requires the same table and schema in every call.
  const Private<Points>& points(const Private<EncodedTable>& table, const GridSpace& space,
                                std::size_t classes, const Grid& levels);

  // Follows points() for the same space. `noise_units` is what `excess` was made from.
  Private<std::vector<std::int64_t>> scores(const GridSpace& space, const GridPool& pool,
                                            const MisclassificationTable& excess,
                                            std::uint64_t noise_units, const PoolLimits& limits,
                                            unsigned threads);

 private:
  struct Grouped {
    std::vector<AttributeIndex> attributes;
    Grid levels;
    Private<Points> points;
  };
  struct Scored {
    std::vector<AttributeIndex> attributes;
    std::uint64_t noise_units;
    GridPool pool;
    Private<std::vector<std::int64_t>> scores;
  };

  double ahead_;
  std::optional<Grouped> grouped_;
  std::optional<Scored> scored_;
};

// The scores of a complete pool, found in those of a complete pool with more cells.
std::vector<std::int64_t> scores_of_smaller_pool(const GridSpace& space, const GridPool& large,
                                                 const std::vector<std::int64_t>& scores,
                                                 std::uint64_t most_cells);

}  // namespace privpfc
