#pragma once

#include <source_location>

namespace privpfc {

// Stops the program when a contract is broken, in every build type: a bug must not become a leak.
// For what a user can cause, return an Error instead.
[[noreturn]] void broken_contract(const char* what, std::source_location where);

inline void require(bool holds, const char* what,
                    std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]] {
    broken_contract(what, where);
  }
}

}  // namespace privpfc
