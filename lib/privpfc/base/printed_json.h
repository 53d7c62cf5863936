#pragma once

#include <string>

namespace privpfc {

// JSON as commands print it. A path may be any bytes; what is not UTF-8 is shown as U+FFFD, where
// the library alone would throw.
template <typename Json>
std::string printed_json(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace privpfc
