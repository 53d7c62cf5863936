#pragma once

#include <string>
#include <string_view>

#include "privpfc/base/result.h"

namespace privpfc::cli {

// What comes of private rows, or may: for its owner alone.
inline constexpr unsigned kFileMode = 0600;

// Writes what the user asked for: to a new file, or to standard output when `path` is empty. An
// existing file is never overwritten.
Status write_output(const std::string& path, std::string_view text);

// Whether all that was printed on standard output has arrived: for the end of the program.
Status finish_output();

}  // namespace privpfc::cli
