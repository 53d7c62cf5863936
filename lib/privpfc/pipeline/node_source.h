#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "privpfc/pipeline/replay_random.h"
#include "privpfc/pipeline/synopsis.h"

namespace privpfc {

// Where the nodes of an attribute come from, row by row: from the row's cell, or from a draw given
// its class.
class NodeSource {
 public:
  virtual ~NodeSource() = default;
  // `first_row` is the number of the first row, `nodes` as long as `entries`.
  virtual void fill(std::span<const std::uint32_t> entries, std::uint64_t first_row,
                    std::span<std::uint32_t> nodes) const = 0;
};

// The attribute's level in the synthetic table, if it is there at all.
std::optional<LevelIndex> synthetic_level(const Schema& schema, const Synopsis& synopsis,
                                          AttributeIndex attribute);

// Requires the attribute to be in the table.
std::unique_ptr<NodeSource> node_source(const Schema& schema, const Synopsis& synopsis,
                                        AttributeIndex attribute, ReplayRandom random);

}  // namespace privpfc
