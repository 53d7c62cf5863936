#pragma once

#include <string>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// Reads a table that shows attributes as a synthetic table does: numbers, or the labels of groups,
// at the level that the feature space says, in columns named like the attributes; null where a
// value is missing. A feature may also be a category where the table has numbers: then each number
// goes to its group. Every row has weight 1.
//
// An error (kData) where a column is absent or holds something else than the space allows: then it
// is not the table that it claims to be.
Result<Dataset> read_generalised_rows(TableReader& table, const Schema& schema,
                                      const FeatureSpace& space, const std::string& label_column,
                                      unsigned threads);

}  // namespace privpfc
