#pragma once

#include <string>
#include <string_view>

#include "privpfc/base/result.h"

namespace privpfc::cli {

// Writes what the user asked for: to a new file, or to standard output when `path` is empty. An
// existing file is never overwritten.
Status write_output(const std::string& path, std::string_view text);

}  // namespace privpfc::cli
