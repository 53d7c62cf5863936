#pragma once

#include <string>
#include <vector>

#include "privpfc/audit/audit.h"

namespace privpfc {

// All pairs of one audit, and what must be known to judge it.
struct AuditReport {
  std::string version;
  std::string effort;  // "quick", ...
  double significance = 0;
  std::vector<AuditedPair> pairs;

  bool holds() const;
  // The least part of epsilon that was reached where one step has nearly all of it; 1 without such
  // pairs.
  double least_sharp() const;
};

std::string audit_text(const AuditReport& report);
std::string audit_json(const AuditReport& report);
std::string audit_page(const AuditReport& report);

// What the figures mean, in a paragraph.
std::string audit_words(const AuditReport& report);

}  // namespace privpfc
