#pragma once

#include <string>
#include <string_view>

#include "privpfc/schema/schema.h"

namespace privpfc {

// What a promise is about, in the same words wherever it is stated.

// A column's name, or its position counted from 1.
std::string column_name(const ColumnRef& column);

// "one row", or "one person".
std::string unit_name(const Schema& schema);

// The same, and who a person is: "one person (all rows with the same patient_id; at most 3 are
// used)".
std::string unit_in_words(const Schema& schema);

// What neighbours differ by: "one row", or "all rows of one person".
std::string rows_of_unit(const Schema& schema);

// What the ledger has on record for a command: "publish", or "publish, per person". Epsilons of
// different units do not add up to anything: the ledger keeps them apart.
std::string purpose_by_unit(const std::string& command, const Schema& schema);
bool is_per_person(std::string_view purpose);

}  // namespace privpfc
