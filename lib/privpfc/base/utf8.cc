#include "privpfc/base/utf8.h"

#include <cstddef>

namespace privpfc {

bool is_valid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    std::size_t length = 1;
    unsigned code = lead;
    if (lead >= 0xf5 || (lead >= 0x80 && lead < 0xc2)) return false;
    if (lead >= 0xf0) {
      length = 4;
      code = lead & 0x07;
    } else if (lead >= 0xe0) {
      length = 3;
      code = lead & 0x0f;
    } else if (lead >= 0xc2) {
      length = 2;
      code = lead & 0x1f;
    }
    if (i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return false;
      code = (code << 6) | (next & 0x3f);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (overlong || surrogate || code > 0x10ffff) return false;
    i += length;
  }
  return true;
}

}  // namespace privpfc
