// Nobody reads a private value.
// EXPECT: (has no member named .value.|no member named .value.)

#include "privpfc/privacy/private.h"
#include "privpfc/privacy/released.h"

int f(const privpfc::Private<int>& secret, const privpfc::Released<int>& known) {
#ifdef MISUSE
  return secret.value();
#else
  (void)secret;
  return known.value();
#endif
}
