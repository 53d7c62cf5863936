#pragma once

#include <string>
#include <utility>

namespace privpfc {

// What went wrong, by who can mend it. The values are the tool's exit codes.
enum class ErrorKind {
  kFailure = 1,        // nothing below fits
  kUsage = 2,          // the command line
  kData = 3,           // the input data
  kSchema = 4,         // the schema
  kBudget = 5,         // the privacy budget does not allow it
  kIo = 6,             // the ledger, or reading and writing files
  kLimit = 7,          // a public limit was passed
  kInterrupted = 130,  // the user stopped it
};

// The message says what is wrong, where (file, column, rule) and what to do. It never holds the
// value of a private cell.
struct Error {
  ErrorKind kind = ErrorKind::kFailure;
  std::string message;
};

}  // namespace privpfc
