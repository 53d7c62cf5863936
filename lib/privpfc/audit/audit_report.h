#pragma once

#include <optional>
#include <string>
#include <vector>

#include "privpfc/audit/audit.h"

namespace privpfc {

// A file that an audit was about, or read.
struct AuditedFile {
  std::string name;
  std::string sha256;
};

// All pairs of one audit, and what must be known to judge it.
struct AuditReport {
  std::string version;
  std::string effort;  // "quick", ...
  double significance = 0;
  bool is_on_own_tables = false;  // not made-up ones: the figures are for internal use
  std::vector<AuditedPair> pairs;
  std::vector<AuditedFile> files{};  // this very program first

  bool holds() const;
  // Broken if any pair is; too few runs if any pair has too few.
  AuditVerdict verdict() const;
  // The least part of epsilon that was reached where one step has nearly all of it; none without
  // such pairs.
  std::optional<double> least_sharp() const;
};

std::string audit_text(const AuditReport& report);
std::string audit_json(const AuditReport& report);
std::string audit_page(const AuditReport& report);

// Parts of all three: the verdict in a line, what the figures mean, and whom they are for.
std::string audit_headline(const AuditReport& report);
std::string audit_words(const AuditReport& report);
std::string audit_notice(const AuditReport& report);

}  // namespace privpfc
