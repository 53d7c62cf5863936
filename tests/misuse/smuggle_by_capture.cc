// What computes on private values may not hold on to anything.
// EXPECT: (no matching function for call to .transform|constraints not satisfied)

#include "privpfc/privacy/private.h"

int f(const privpfc::Private<int>& secret) {
  int out = 0;
#ifdef MISUSE
  auto doubled = privpfc::transform(
      [&out](int value) {
        out = value;
        return 2 * value;
      },
      secret);
#else
  auto doubled = privpfc::transform([](int value) { return 2 * value; }, secret);
#endif
  (void)doubled;
  return out;
}
