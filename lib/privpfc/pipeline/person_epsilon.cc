#include "privpfc/pipeline/person_epsilon.h"

#include <utility>

#include "privpfc/base/contract.h"

namespace privpfc {

Result<Epsilon> row_epsilon(const Schema& schema, Epsilon promised) {
  if (!schema.person) return promised;
  const std::uint64_t units = promised.units() / schema.person->most_rows;
  if (units == 0) {
    return make_error(ErrorKind::kUsage,
                      "epsilon {} is too small to be shared among {} rows of a person (the "
                      "schema's most_rows)",
                      promised.to_string(), schema.person->most_rows);
  }
  return Epsilon::from_units(units);
}

Status explain_row_epsilon(Status checked, const Schema& schema, Epsilon promised) {
  if (checked.ok() || !schema.person) return checked;
  return make_error(checked.error().kind,
                    "{} (epsilon {} is promised to a person, who may have {} rows by the schema's "
                    "most_rows; each row has its part)",
                    checked.error().message, promised.to_string(), schema.person->most_rows);
}

Budget budget_for_rows(Budget promised, const Schema& schema) {
  const Epsilon row = row_epsilon(schema, promised.epsilon()).value();
  if (row == promised.epsilon()) return promised;
  require(promised.delta() == Delta(), "a delta is promised to a person of one row alone");
  return promised.take(row);
}

Status check_rows_of_delta(const Schema& schema, Delta delta) {
  if (!schema.person || schema.person->most_rows == 1 || delta == Delta()) return {};
  return make_error(ErrorKind::kUsage,
                    "a method with a delta cannot make its promise to a person with several rows: "
                    "choose a pure one (privpfc methods), or declare most_rows: 1");
}

}  // namespace privpfc
