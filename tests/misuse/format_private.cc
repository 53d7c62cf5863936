// EXPECT: (Cannot format an argument|type_is_unformattable|is_formattable|formatter)

#include <fmt/format.h>

#include <string>

#include "privpfc/privacy/private.h"

std::string f(const privpfc::Private<int>& secret) {
#ifdef MISUSE
  return fmt::format("{}", secret);
#else
  (void)secret;
  return fmt::format("{}", 1);
#endif
}
