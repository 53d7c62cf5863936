#pragma once

#include <string>

#include "privpfc/base/result.h"

namespace privpfc {

// The whole of a regular file of at most `most_bytes`. Errors: kIo, or kLimit when it is larger.
Result<std::string> read_text_file(const std::string& path, std::size_t most_bytes);

}  // namespace privpfc
