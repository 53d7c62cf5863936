#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// Hierarchies in other tools' formats.
//
// Nested JSON: {"attribute": {"group": {"value": {}, ...}, ...}, ...}, one file for a whole table.
// Where every leaf reads as an interval, `(14, 95]`, the attribute is numeric; leaves called
// `missing` and `other` may stand beside the others.
//
// ARX CSV: one file per attribute and one line per value, from the value up to the root:
// `State-gov;Gov;With-pay;*`. Where the values are consecutive whole numbers or days in unbroken
// groups, the attribute is an integer or a date.
//
// Errors name lines of the text, not the file: that is the caller's to say.

// What these formats do not hold (the label, buckets for unknown values) is left to the curator.
Result<std::vector<Attribute>> import_nested_json(std::string_view json);
Result<Attribute> import_arx_csv(std::string_view csv, const std::string& attribute_name,
                                 char separator);

// Why an imported attribute is categorical though some of its leaves are numbers or intervals: the
// first leaf that is neither.
std::optional<std::string> leaf_that_is_no_number(const Attribute& attribute);

std::string export_nested_json(const Schema& schema);

// What nested JSON cannot say about a numeric attribute, in words.
std::optional<std::string> lost_in_json(const Attribute& attribute);

// Integers are listed value by value; a real attribute has no such list and is refused.
Result<std::string> export_arx_csv(const Attribute& attribute, char separator);

}  // namespace privpfc
