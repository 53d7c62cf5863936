#pragma once

#include <span>
#include <vector>

#include "privpfc/classifiers/feature_space.h"
#include "privpfc/io/column_view.h"
#include "privpfc/schema/attribute.h"
#include "privpfc/table/coded.h"

namespace privpfc {

// The values of a numeric attribute as numbers (dates as days since 1970-01-01), within the
// feature's bounds; NaN where the encoder's notes say that there is none. A value outside the
// domain is brought to the nearer end, or is missing, as the attribute's `outside` says.
std::vector<double> read_numbers(const ColumnView& column, std::span<const Note> notes,
                                 const Attribute& attribute, const Feature& feature);

}  // namespace privpfc
