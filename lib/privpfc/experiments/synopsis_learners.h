#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "privpfc/experiments/contender.h"
#include "privpfc/pipeline/synopsis.h"

namespace privpfc {

// What is learned from a release in experiments: the histogram classifier on the counts as they
// are, the others on the synthetic rows.
const std::vector<std::string>& synopsis_classifiers();

// Trains each of them on the synopsis, `rows` of each cell and class, and tests it on the split's
// test rows. `spent` seconds were needed for the synopsis and count for each; `clock` tells what
// learning and testing take, and the outcome gets all that it has told.
Result<Outcome> learn_from_synopsis(const Synopsis& synopsis, std::span<const std::uint64_t> rows,
                                    const Trial& trial, PartClock& clock, double spent);

}  // namespace privpfc
