#pragma once

#include <memory>
#include <string>
#include <vector>

#include "privpfc/audit/audit.h"
#include "privpfc/direct/method.h"

namespace privpfc {

// Made-up neighbouring tables on tiny domains, chosen so that a mistake would show: nothing against
// one row, a canary in an empty cell, a number of rows at the edge of the threshold, a rare
// category, a row of values that are none; then tables where one step has nearly all of epsilon.
Result<std::vector<AuditPair>> publish_pairs(Epsilon epsilon);
Result<std::vector<AuditPair>> direct_pairs(std::shared_ptr<const DirectMethod> method,
                                            Epsilon epsilon);

// Two files of the user's own: neighbours, in either order.
struct PairSource {
  std::string name;
  std::string first;
  std::string second;
  bool ignore_extra_columns = false;
};
Result<AuditPair> publish_pair_of(const PairSource& source, const Schema& schema, Epsilon epsilon);
Result<AuditPair> direct_pair_of(const PairSource& source, const Schema& schema,
                                 std::shared_ptr<const DirectMethod> method, Epsilon epsilon);

}  // namespace privpfc
