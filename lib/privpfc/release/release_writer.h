#pragma once

#include <cstdint>
#include <optional>

#include "privpfc/base/result.h"
#include "privpfc/pipeline/synopsis.h"
#include "privpfc/pipeline/synthesis.h"
#include "privpfc/privacy/released.h"
#include "privpfc/release/manifest.h"
#include "privpfc/release/staging.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// Whether a release can be written and read again, whatever grid is chosen: no two columns of a
// table have one name, and the schema survives being written. To be asked before a budget is spent.
Status check_publishable(const Schema& schema, NumericStyle style);

// Writes a release directory, whole or not at all, into a place that was reserved before any budget
// was spent. It takes nothing but released and public values, so nothing else can end up in it.
// Returns its manifest. It has at most `most_rows` synthetic rows; its bytes do not depend on
// `threads` (0: one per core). With a person in the schema, `promised` is the epsilon of a person:
// what was withdrawn, and at least most_rows times what the steps have cost. Without one it is left
// out.
Result<Manifest> write_release(StagingDirectory staging, const Released<Synopsis>& synopsis,
                               const Schema& schema, NumericStyle style,
                               std::uint64_t synthetic_seed,
                               std::uint64_t most_rows = kMostSyntheticRows, unsigned threads = 1,
                               std::optional<Epsilon> promised = std::nullopt);

}  // namespace privpfc
