// A value that nobody paid for cannot be slipped in beside a released one.
// EXPECT: (no matching function for call to .post_process|constraints not satisfied)

#include "privpfc/privacy/released.h"

int f(const privpfc::Released<int>& known, int unpaid) {
#ifdef MISUSE
  return privpfc::post_process([](int a, int b) { return a + b; }, known, unpaid).value();
#else
  (void)unpaid;
  return privpfc::post_process([](int a, int b) { return a + b; }, known, known).value();
#endif
}
