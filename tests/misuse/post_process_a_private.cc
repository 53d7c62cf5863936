// EXPECT: (no matching function for call to .post_process|constraints not satisfied)

#include "privpfc/privacy/released.h"

int f(const privpfc::Released<int>& known, const privpfc::Private<int>& secret) {
#ifdef MISUSE
  return privpfc::post_process([](int a) { return a; }, secret).value() + known.value();
#else
  (void)secret;
  return privpfc::post_process([](int a) { return a; }, known).value();
#endif
}
