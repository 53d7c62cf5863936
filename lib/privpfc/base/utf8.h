#pragma once

#include <string_view>

namespace privpfc {

bool is_valid_utf8(std::string_view text);

}  // namespace privpfc
