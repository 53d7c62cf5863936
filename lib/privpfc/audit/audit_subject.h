#pragma once

#include <memory>

#include "privpfc/audit/audit_table.h"
#include "privpfc/audit/event.h"
#include "privpfc/audit/observation.h"
#include "privpfc/direct/method.h"
#include "privpfc/pipeline/publish.h"
#include "privpfc/privacy/bit_source.h"

namespace privpfc {

// Two neighbouring tables and what is run on them.
class AuditSubject {
 public:
  AuditSubject() = default;
  virtual ~AuditSubject() = default;
  AuditSubject(const AuditSubject&) = delete;
  AuditSubject& operator=(const AuditSubject&) = delete;

  // Runs once on one of the tables and tells all that is released. May be called on several threads
  // at once, each with bits and an observer of its own.
  virtual void run(Side side, BitSource& bits, Observer& observer) const = 0;

  virtual Epsilon epsilon() const = 0;  // what is promised
  virtual Delta delta() const { return {}; }
};

// Both tables, and the row that they differ by.
struct NeighbourTables {
  AuditTable without;
  AuditTable with;
  RowApart row;
};

// publish(), as the command runs it, but for the files. Requires check_publish_options().
std::unique_ptr<AuditSubject> publish_subject(Schema schema, NeighbourTables tables,
                                              const PublishOptions& options, Epsilon epsilon);

// A direct method; its model is what is released. An error if the method refuses the schema or the
// epsilon. `tables` are read in the space of method_space().
Result<FeatureSpace> method_space(const DirectMethod& method, const Schema& schema,
                                  Epsilon epsilon);
Result<std::unique_ptr<AuditSubject>> direct_subject(std::shared_ptr<const DirectMethod> method,
                                                     Schema schema, NeighbourTables tables,
                                                     Epsilon epsilon);

}  // namespace privpfc
