#pragma once

namespace privpfc {

// The style sheet of every page. One accent colour; contrasts are at least 4.5 to 1 in both
// schemes.
extern const char* const kPageStyle;

}  // namespace privpfc
