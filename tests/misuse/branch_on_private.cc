// A private truth value decides nothing.
// EXPECT: (could not convert|not contextually convertible|value of type .* is not)

#include "privpfc/privacy/private.h"

int f(const privpfc::Private<bool>& secret) {
#ifdef MISUSE
  if (secret) return 1;
#endif
  (void)secret;
  return 0;
}
