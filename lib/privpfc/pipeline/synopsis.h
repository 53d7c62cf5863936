#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "privpfc/base/strong_index.h"
#include "privpfc/privacy/epsilon.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// Everything that a release is made from, and all that the rows have to do with it. It is only ever
// held as Released<Synopsis>: each number was paid for, or computed from such numbers.
struct Synopsis {
  // One step that looked at the rows.
  struct Step {
    std::string name;       // "class counts", "feature selection", ...
    std::string mechanism;  // "discrete Laplace", "permute-and-flip"
    Epsilon epsilon;
  };

  struct Axis {
    AttributeIndex attribute;
    LevelIndex level;  // 1 or more
  };

  // A column outside the grid, known with the label alone (--all-columns).
  struct SideColumn {
    AttributeIndex attribute;
    std::vector<std::int64_t> counts;  // leaf * classes + class, noisy
  };

  std::vector<Step> steps;

  std::vector<std::int64_t> class_counts;  // noisy
  std::int64_t noisy_rows = 1;             // their sum, at least 1

  // How the grid was found.
  std::uint64_t cell_threshold = 0;
  std::uint64_t pool_size = 0;
  std::vector<AttributeIndex> selected_features;  // best pick first; empty when all took part
  std::size_t features_in_pool = 0;

  // The grid, in the schema's order, and its histogram: cell * classes + class, the first axis
  // varying slowest, noisy and signed as the mechanism gave it.
  std::vector<Axis> axes;
  std::vector<std::int64_t> cell_counts;

  std::vector<SideColumn> side_columns;

  std::size_t cell_count() const { return cell_counts.size() / class_counts.size(); }
};

}  // namespace privpfc
