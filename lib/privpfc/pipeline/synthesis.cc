#include "privpfc/pipeline/synthesis.h"

#include <algorithm>
#include <future>
#include <limits>

#include "privpfc/base/parallel.h"

namespace privpfc {
namespace {

constexpr std::size_t kBatchRows = 1 << 17;
constexpr std::size_t kPieceRows = 1 << 14;

}  // namespace

Status check_synthesis(const Schema& schema, std::uint64_t cells) {
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max() / schema.class_count();
  if (cells <= most) return {};
  return make_error(ErrorKind::kUsage,
                    "with {} classes a grid may have at most {} cells; allow no more of them",
                    schema.class_count(), most);
}

// Some rows, and the memory for their values.
struct SyntheticTable::Batch {
  std::vector<std::uint32_t> entries;
  std::vector<SyntheticValues> values;  // by maker
  std::vector<OutputSlice> slices;
};

SyntheticTable::SyntheticTable(const Schema& schema, const Synopsis& synopsis, NumericStyle style,
                               std::uint64_t seed, std::uint64_t most_rows)
    : entries_(synthetic_counts(synopsis, most_rows), ReplayRandom(seed)),
      makers_(synthetic_columns(schema, synopsis, style, ReplayRandom(seed))) {
  for (const auto& maker : makers_) {
    for (OutputColumn& column : maker->describe()) columns_.push_back(std::move(column));
  }
}

void SyntheticTable::fill(Batch& batch, std::uint64_t first_row, unsigned threads) const {
  batch.entries.resize(std::min<std::uint64_t>(kBatchRows, rows() - first_row));
  batch.values.resize(makers_.size());
  const std::span<std::uint32_t> entries(batch.entries);
  run_pieces((entries.size() + kPieceRows - 1) / kPieceRows, threads, [&](std::size_t piece) {
    const std::size_t first = piece * kPieceRows;
    entries_.fill(first_row + first,
                  entries.subspan(first, std::min(kPieceRows, entries.size() - first)));
  });
  run_pieces(makers_.size(), threads,
             [&](std::size_t i) { makers_[i]->make(entries, first_row, batch.values[i]); });
  batch.slices.clear();
  for (const SyntheticValues& values : batch.values) {
    batch.slices.insert(batch.slices.end(), values.slices.begin(), values.slices.end());
  }
}

// While one batch is written, the next one is made.
Status SyntheticTable::write(TableWriter& writer, unsigned threads) const {
  const bool overlaps = thread_count(threads) > 1;
  Batch batches[2];
  std::future<Status> writing;
  Status status;
  for (std::uint64_t first = 0, turn = 0; first < rows() && status.ok();
       first += kBatchRows, ++turn) {
    Batch& batch = batches[turn % 2];
    fill(batch, first, threads);
    if (writing.valid()) status = writing.get();
    if (!status.ok()) break;
    if (overlaps) {
      writing = std::async(std::launch::async, [&] { return writer.write(batch.slices); });
    } else {
      status = writer.write(batch.slices);
    }
  }
  if (writing.valid()) status = writing.get();
  return status;
}

}  // namespace privpfc
