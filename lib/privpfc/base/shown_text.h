#pragma once

#include <string>
#include <string_view>

namespace privpfc {

// Text from a file as a message may show it: control characters, which could make a terminal do
// things, are written out (`\x1b`). Requires UTF-8.
std::string shown_text(std::string_view text);

// The same for text of several lines, which stay apart.
std::string shown_lines(std::string_view text);

}  // namespace privpfc
