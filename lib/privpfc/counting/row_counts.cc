#include "privpfc/counting/row_counts.h"

#include <algorithm>
#include <array>

#include "privpfc/base/parallel.h"

namespace privpfc {
namespace {

using Counts = std::vector<std::int64_t>;
using Batches = std::span<const EncodedBatch>;

// Neighbouring rows are often equal, and an addition to a counter waits for the one before it: rows
// take turns at two sets of counters.
template <typename Code>
void tally(std::span<const Code> codes, const std::uint8_t* labels, std::size_t classes,
           std::array<Counts, 2>& counts) {
  std::int64_t* const even = counts[0].data();
  std::int64_t* const odd = counts[1].data();
  std::size_t row = 0;
  for (; row + 1 < codes.size(); row += 2) {
    ++even[codes[row] * classes + labels[row]];
    ++odd[codes[row + 1] * classes + labels[row + 1]];
  }
  if (row < codes.size()) ++even[codes[row] * classes + labels[row]];
}

void add_to(Counts& sums, const Counts& more) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
}

Counts count_leaves_of(Batches batches, AttributeIndex attribute, std::size_t leaves,
                       std::size_t classes) {
  std::array<Counts, 2> counts{Counts(leaves * classes, 0), Counts(leaves * classes, 0)};
  for (const EncodedBatch& batch : batches) {
    std::visit([&](auto codes) { tally(codes, batch.classes.data(), classes, counts); },
               batch.attribute(attribute));
  }
  add_to(counts[0], counts[1]);
  return std::move(counts[0]);
}

}  // namespace

Counts count_classes(const EncodedTable& table, std::size_t classes) {
  Counts counts(classes, 0);
  for (const EncodedBatch& batch : table.batches()) {
    for (const std::uint8_t label : batch.classes) ++counts[label];
  }
  return counts;
}

Counts count_leaves(const EncodedTable& table, AttributeIndex attribute, std::size_t leaves,
                    std::size_t classes, unsigned threads) {
  const Batches batches = table.batches();
  const std::size_t pieces = std::clamp<std::size_t>(batches.size(), 1, thread_count(threads));
  std::vector<Counts> counts(pieces);
  run_pieces(pieces, threads, [&](std::size_t piece) {
    const std::size_t begin = batches.size() * piece / pieces;
    const std::size_t end = batches.size() * (piece + 1) / pieces;
    counts[piece] =
        count_leaves_of(batches.subspan(begin, end - begin), attribute, leaves, classes);
  });
  for (std::size_t piece = 1; piece < pieces; ++piece) add_to(counts[0], counts[piece]);
  return std::move(counts[0]);
}

}  // namespace privpfc
