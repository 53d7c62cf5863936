#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace privpfc {

// Sanitizers look for broken memory, not for wrong laws, and make everything many times slower:
// under them the statistical tests draw less, and what shows that they are not blind (the wrong law
// that must be rejected) is left to the other builds.
#ifdef PRIVPFC_SANITIZED  // by CMake: compilers do not agree on a name for it
inline constexpr bool kFullPower = false;
#else
inline constexpr bool kFullPower = true;
#endif

inline constexpr std::size_t draws(std::size_t wanted) {
  return kFullPower ? wanted : std::max(wanted / 20, std::min<std::size_t>(wanted, 2'000));
}

// PRIVPFC_THOROUGH=1: take minutes instead of seconds.
inline bool thorough() {
  return std::getenv("PRIVPFC_THOROUGH") != nullptr;
}

}  // namespace privpfc
