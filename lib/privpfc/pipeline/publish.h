#pragma once

#include <functional>
#include <string_view>

#include "privpfc/base/result.h"
#include "privpfc/pipeline/budget_plan.h"
#include "privpfc/pipeline/pool_plan.h"
#include "privpfc/pipeline/publish_memory.h"
#include "privpfc/pipeline/synopsis.h"
#include "privpfc/privacy/budget.h"
#include "privpfc/privacy/mechanisms.h"
#include "privpfc/privacy/private.h"
#include "privpfc/privacy/released.h"
#include "privpfc/table/encoded_table.h"

namespace privpfc {

struct PublishOptions {
  Shares shares;
  PoolLimits limits;
  unsigned threads = 1;  // 0: one per core
};

// Told as each stage begins; the names are public and the same for every table.
using Progress = std::function<void(std::string_view stage)>;

// What can be refused before a budget is withdrawn: shares that do not add up, an epsilon too small
// to be shared, limits that no search can keep.
Status check_publish_options(const PublishOptions& options, Epsilon epsilon);

// PrivPfC: the noisy class counts, the pool of grids that they allow, one grid by expected
// misclassification, its noisy histogram. Spends the whole budget. Requires check_publish_options.
// `memory` serves repeated runs on the same table. Proof of the composition: publish.md.
Released<Synopsis> publish(const Private<EncodedTable>& table, const Schema& schema,
                           const PublishOptions& options, Mechanisms& mechanisms, Budget budget,
                           const Progress& progress, PublishMemory* memory = nullptr);

}  // namespace privpfc
