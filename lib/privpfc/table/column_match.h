#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/column_view.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// Which column of the data belongs to which attribute.
struct ColumnMatch {
  std::vector<std::optional<std::size_t>> attributes;  // by attribute; its position in the data
  std::optional<std::size_t> label;
  std::optional<std::size_t> person;
  std::vector<std::string> missing;  // columns that the schema needs and the data lacks; label last
  std::vector<std::string> undeclared;  // columns that the data has and the schema does not name
  // Some column was found by its name. If none was, the file may lack its header, and what stands
  // in its place are the cells of a row: then the names in `undeclared` must not be shown.
  bool header_recognised = false;
  std::string advice;  // what to look at where columns are missing
};

// Which of the schema's columns must be there.
struct ColumnNeeds {
  bool label = true;
  bool person = true;                                       // where one is declared
  std::optional<std::vector<AttributeIndex>> attributes{};  // none: every one that is used
};

ColumnMatch match_columns(const Schema& schema, std::span<const InputColumn> columns,
                          const ColumnNeeds& needs = {});

// The error that a missing or undeclared column is. `allowed`: names that may be there although the
// schema does not know them.
Status check_columns(const ColumnMatch& match, bool ignore_extra_columns,
                     std::span<const std::string> allowed);

}  // namespace privpfc
