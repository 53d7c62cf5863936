#pragma once

namespace privpfc {

// Stops the program when a contract is broken, in every build type: a bug must not become a leak.
// For what a user can cause, return an Error instead.
// The place is the caller's; clang 14, which builds the fuzz targets, has no std::source_location.
[[noreturn]] void broken_contract(const char* what, const char* file = __builtin_FILE(),
                                  unsigned line = __builtin_LINE());

inline void require(bool holds, const char* what, const char* file = __builtin_FILE(),
                    unsigned line = __builtin_LINE()) {
  if (!holds) [[unlikely]] {
    broken_contract(what, file, line);
  }
}

}  // namespace privpfc
