#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/classifiers/dataset.h"
#include "privpfc/schema/schema.h"
#include "privpfc/table/encoded_table.h"

namespace privpfc {

// A table that is made up, or may be seen in full, as the pipeline and as learners see it.
struct AuditTable {
  EncodedTable encoded;
  Dataset dataset;
};

// Rows as they would stand in a CSV file, by attribute of the schema and then the label. They pass
// through the same encoder as a file's. The space is of this schema.
using TextRows = std::vector<std::vector<std::string>>;
Result<AuditTable> encode_texts(const TextRows& rows, const Schema& schema,
                                const FeatureSpace& space);

Result<AuditTable> load_audit_table(const std::string& path, const Schema& schema,
                                    const FeatureSpace& space, bool ignore_extra_columns);

// The row that one of two tables has and the other has not.
struct RowApart {
  bool is_in_first = false;
  std::size_t position = 0;           // in the table that has it
  std::vector<std::uint16_t> leaves;  // by attribute; 0 where it is not used
  std::uint8_t label = 0;
};

// An error (kData) unless the tables are neighbours: one has every row of the other, and one more.
Result<RowApart> row_apart(const AuditTable& first, const AuditTable& second);

}  // namespace privpfc
