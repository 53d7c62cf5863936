// EXPECT: (is private within this context|is a private member)

#include "privpfc/privacy/private.h"

int f(const privpfc::Private<int>& secret) {
#ifdef MISUSE
  return privpfc::PrivateAccess::look(secret);
#else
  (void)secret;
  return 0;
#endif
}
