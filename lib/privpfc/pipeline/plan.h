#pragma once

#include <cstdint>

#include "privpfc/base/result.h"
#include "privpfc/pipeline/budget_plan.h"
#include "privpfc/pipeline/pool_plan.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// What a release would look like, told without a look at any row.
struct ReleasePlan {
  Epsilon epsilon;      // as promised, to a person where the schema declares one
  Epsilon row_epsilon;  // what the figures below follow from
  std::uint64_t most_cells = 0;
  std::uint64_t pool_size = 0;    // 0 where it depends on which features are selected
  std::size_t feature_picks = 0;  // 0: no feature selection
  double noise_per_count = 0;     // standard deviation
  double visible_rows = 0;        // a cell this large and pure keeps its majority in 95 of 100
  double visible_share = 0;       // of all rows
};

Result<ReleasePlan> plan_release(const Schema& schema, std::int64_t rows, Epsilon epsilon,
                                 const Shares& shares, const PoolLimits& limits);

}  // namespace privpfc
