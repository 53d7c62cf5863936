#pragma once

// Internal to the release room.

#include <string>
#include <string_view>

namespace privpfc::internal {

// Text as it may stand in a line of Markdown, also in a table: it shows as it is, and is neither
// markup nor HTML.
std::string escape_markdown(std::string_view text);

}  // namespace privpfc::internal
