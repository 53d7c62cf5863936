#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "privpfc/io/table_writer.h"
#include "privpfc/pipeline/replay_random.h"
#include "privpfc/pipeline/synopsis.h"
#include "privpfc/schema/interval.h"

namespace privpfc {

// How a numeric attribute appears in the synthetic table.
enum class NumericStyle {
  kDrawn,   // a number drawn evenly within its bin
  kLabels,  // the bin's label, with its bounds in two more columns, NAME_lo and NAME_hi
};

// Memory for the values of one attribute in one batch; used again for the next one.
struct SyntheticValues {
  std::vector<std::uint32_t> nodes;
  struct Column {
    std::vector<std::int64_t> integers;
    std::vector<std::int32_t> days;
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint16_t> codes;
    std::vector<std::uint8_t> valid;
  } column;
  std::vector<OutputSlice> slices;
};

// Knows the node of each row's value, and how to write values of its attribute.
class SyntheticColumn {
 public:
  virtual ~SyntheticColumn() = default;
  virtual std::vector<OutputColumn> describe() const = 0;
  // Makes `values.slices` for the rows with these entries; `first_row` is the first one's number.
  virtual void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
                    SyntheticValues& values) const = 0;
};

// All columns of the table: the attributes of the synopsis in the schema's order, then the label.
std::vector<std::unique_ptr<SyntheticColumn>> synthetic_columns(const Schema& schema,
                                                                const Synopsis& synopsis,
                                                                NumericStyle style,
                                                                ReplayRandom random);

// The name of the label's column in released tables.
std::string label_name(const Schema& schema);

// The names of an attribute's columns: with labels, those of a number's bounds too.
std::vector<std::string> synthetic_names(const Attribute& attribute, NumericStyle style);

}  // namespace privpfc
