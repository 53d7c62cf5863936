#pragma once

#include <string>
#include <vector>

#include "privpfc/base/error.h"

namespace privpfc {

// A place in a text file; both count from 1. Line 0: the file as a whole.
struct Position {
  int line = 0;
  int column = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

enum class Severity { kError, kWarning };

// One thing that a reader noticed in a schema.
struct Finding {
  Severity severity = Severity::kError;
  Position at;
  std::string message;
  ErrorKind kind = ErrorKind::kSchema;  // kLimit when a public limit was passed
};

using Findings = std::vector<Finding>;

}  // namespace privpfc
