#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/table_writer.h"
#include "privpfc/pipeline/synopsis.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// How a numeric attribute appears in the synthetic table.
enum class NumericStyle {
  kDrawn,   // a number drawn evenly within its bin
  kLabels,  // the bin's label, with its bounds in two more columns, NAME_lo and NAME_hi
};

// The synthetic rows of a synopsis: a pure function of the synopsis, the schema, the style and the
// seed, so that anyone can rebuild them. Attributes appear at the grid's level, in the schema's
// order, then the label. A missing value is null.
class SyntheticTable {
 public:
  SyntheticTable(const Schema& schema, const Synopsis& synopsis, NumericStyle style,
                 std::uint64_t seed);
  ~SyntheticTable();
  SyntheticTable(SyntheticTable&&) noexcept;
  SyntheticTable& operator=(SyntheticTable&&) noexcept;
  SyntheticTable(const SyntheticTable&) = delete;
  SyntheticTable& operator=(const SyntheticTable&) = delete;

  std::uint64_t rows() const { return entries_.size(); }
  const std::vector<OutputColumn>& columns() const { return columns_; }

  // Writes every row; the caller closes the writer.
  Status write(TableWriter& writer) const;

  class Column;  // makes the values of one attribute; known to the source file only

 private:
  std::vector<std::uint32_t> entries_;  // of each row: cell * classes + class, in published order
  std::vector<std::unique_ptr<Column>> makers_;
  std::vector<OutputColumn> columns_;
};

// The name of the label's column in released tables.
std::string label_name(const Schema& schema);

}  // namespace privpfc
