#include "privpfc/release/markdown.h"

#include <cctype>

namespace privpfc::internal {
namespace {

bool is_in_a_word(std::string_view text, std::size_t at) {
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0);
  };
  return at > 0 && is_letter(at - 1) && is_letter(at + 1);
}

bool begins_a_target(std::string_view text, std::size_t at) {
  return at > 0 && text[at - 1] == ']';
}

}  // namespace

// As entities, which never are markup. A backslash would do for most, but not for a bar after
// another backslash. What means nothing where it stands stays readable: stay_days, [18, 64].
std::string escape_markdown(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
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
      case '|':
        out += "&#124;";
        break;
      case '\\':
        out += "&#92;";
        break;
      case '`':
        out += "&#96;";
        break;
      case '*':
        out += "&#42;";
        break;
      case '~':
        out += "&#126;";
        break;
      case '_':
        out += is_in_a_word(text, i) ? "_" : "&#95;";
        break;
      case '(':
        out += begins_a_target(text, i) ? "&#40;" : "(";
        break;
      case '[':
        out += begins_a_target(text, i) ? "&#91;" : "[";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

}  // namespace privpfc::internal
