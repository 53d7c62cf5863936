#include "privpfc/evaluation/html.h"

#include <fmt/format.h>

#include <cmath>

namespace privpfc {

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        // What HTML does not allow: control characters but for the white ones.
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

std::string percent(double share, int decimals) {
  return fmt::format("{:.{}f} %", 100 * share, decimals);
}

std::string percent_range(double low, double high) {
  return fmt::format("{:.1f} to {:.1f} %", 100 * low, 100 * high);
}

std::string whole(double number) {
  std::string digits = fmt::format("{:.0f}", std::abs(number));
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return number < 0 && digits != "0" ? "-" + digits : digits;
}

}  // namespace privpfc
