#pragma once

#include <cstdint>

#include "privpfc/pipeline/synopsis.h"
#include "privpfc/schema/schema.h"
#include "privpfc/table/encoded_table.h"

namespace privpfc {

// PrivPfC as its paper has it: the number of rows is taken as known, Laplace noise in floating
// point, exponents epsilon/2 and epsilon/(4k), counts rounded to the nearest number that is not
// negative, a pool of at most 200,000 grids.
//
// What that really guarantees: the claim that the correlation has sensitivity 2 is false (it is 4),
// so a run with feature selection is up to 1.3 epsilon private; the number of rows and the bits of
// the floating-point noise are not protected at all. For comparison only.
struct PublishedPrivPfc {
  enum class NoiseFree {
    kNothing,
    kFeatures,              // FSNF: features by their true scores, all epsilon to the other steps
    kFeaturesAndSelection,  // SelNF: and the grid too, all epsilon to the histogram
  };
  NoiseFree noise_free = NoiseFree::kNothing;
  std::uint64_t most_grids = 200'000;
  unsigned threads = 1;
};

// The synopsis has no steps: nothing was paid for. Requires epsilon > 0 and rows.
Synopsis publish_as_published(const EncodedTable& table, const Schema& schema, double epsilon,
                              const PublishedPrivPfc& options, std::uint64_t seed);

}  // namespace privpfc
