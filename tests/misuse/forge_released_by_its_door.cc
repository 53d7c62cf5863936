// The door that the mechanisms use is closed to others.
// EXPECT: (is private within this context|is a private member)

#include "privpfc/privacy/released.h"

int f(int truth) {
#ifdef MISUSE
  return privpfc::ReleasedAccess::release(truth).value();
#else
  return truth;
#endif
}
