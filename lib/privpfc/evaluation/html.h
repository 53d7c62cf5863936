#pragma once

#include <string>
#include <string_view>

namespace privpfc {

// Text as it may stand in HTML and SVG, between tags and in quoted attributes.
std::string escape_html(std::string_view text);

// A share as people read it: 0.2791 is "27.9 %".
std::string percent(double share, int decimals = 1);

// "27.1 to 29.0 %".
std::string percent_range(double low, double high);

// A whole number with groups of three: 10055 is "10,055". What is not whole is rounded.
std::string whole(double number);

}  // namespace privpfc
