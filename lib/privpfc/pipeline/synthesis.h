#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/table_writer.h"
#include "privpfc/pipeline/synopsis.h"
#include "privpfc/pipeline/synthetic_columns.h"
#include "privpfc/pipeline/synthetic_counts.h"
#include "privpfc/pipeline/synthetic_entries.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// Whether a table can be made of every grid that has at most `cells` cells: counts of cells and
// classes are numbered with 32 bits. To be asked before a budget is spent.
Status check_synthesis(const Schema& schema, std::uint64_t cells);

// The synthetic rows of a synopsis: a pure function of the synopsis, the schema, the style, the
// seed and the most rows there may be, so that anyone can rebuild them. Attributes appear at the
// grid's level, in the schema's order, then the label. A missing value is null.
//
// No row is held: each is computed from its number, whenever and by whichever thread it is wanted.
class SyntheticTable {
 public:
  SyntheticTable(const Schema& schema, const Synopsis& synopsis, NumericStyle style,
                 std::uint64_t seed, std::uint64_t most_rows = kMostSyntheticRows);

  std::uint64_t rows() const { return entries_.rows(); }
  const std::vector<OutputColumn>& columns() const { return columns_; }

  // Writes every row; the caller closes the writer. What is written does not depend on `threads`
  // (0: one per core).
  Status write(TableWriter& writer, unsigned threads = 1) const;

 private:
  struct Batch;
  void fill(Batch& batch, std::uint64_t first_row, unsigned threads) const;

  SyntheticEntries entries_;
  std::vector<std::unique_ptr<SyntheticColumn>> makers_;
  std::vector<OutputColumn> columns_;
};

}  // namespace privpfc
