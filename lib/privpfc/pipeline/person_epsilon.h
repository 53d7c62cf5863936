#pragma once

#include "privpfc/base/result.h"
#include "privpfc/privacy/budget.h"
#include "privpfc/privacy/epsilon.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// From the epsilon that is promised to a person to the epsilon of a row. Where the schema declares
// no person they are the same. Proof: lib/privpfc/table/person_cap.md.

// The largest epsilon of which most_rows make no more than `promised`. An error (kUsage) if that is
// nothing.
Result<Epsilon> row_epsilon(const Schema& schema, Epsilon promised);

// `checked`, with an error that says why the epsilon it speaks of is smaller than the promised one.
Status explain_row_epsilon(Status checked, const Schema& schema, Epsilon promised);

// What of a withdrawn budget the mechanisms may spend on the rows; the rest counts as spent.
// Requires row_epsilon() and check_rows_of_delta().
Budget budget_for_rows(Budget promised, const Schema& schema);

// A delta grows with the rows of a person by more than their number: refused (kUsage), before it is
// withdrawn, where a person may have several.
Status check_rows_of_delta(const Schema& schema, Delta delta);

}  // namespace privpfc
