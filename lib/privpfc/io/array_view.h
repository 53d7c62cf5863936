#pragma once

#include <arrow/array.h>

#include <optional>

#include "privpfc/io/column_view.h"

namespace privpfc {

// What a column of this Arrow type will be read as; nothing for types that cannot be read.
std::optional<ColumnType> column_type(const arrow::DataType& type);

// A view of `array`. Where the values cannot be used as they lie (decimals, times, texts), they are
// converted, and the converted ones are added to `memory`. Nothing if a dictionary index points
// outside its dictionary. Requires column_type(*array->type()).
std::optional<ColumnView> view_of(const std::shared_ptr<arrow::Array>& array,
                                  std::vector<std::shared_ptr<const void>>& memory);

}  // namespace privpfc
