#pragma once

#include <string>
#include <system_error>

namespace privpfc {

// The system's words for an errno.
inline std::string reason(int error_number) {
  return std::generic_category().message(error_number);
}

}  // namespace privpfc
