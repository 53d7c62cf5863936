#pragma once

#include <algorithm>
#include <string_view>

namespace privpfc {

// At least one, and nothing else.
inline bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

}  // namespace privpfc
