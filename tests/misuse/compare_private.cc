// Comparing would be one bit of looking.
// EXPECT: (no match for .operator==.|invalid operands to binary expression)

#include "privpfc/privacy/private.h"

bool f(const privpfc::Private<int>& a, const privpfc::Private<int>& b) {
#ifdef MISUSE
  return a == b;
#else
  return &a == &b;
#endif
}
