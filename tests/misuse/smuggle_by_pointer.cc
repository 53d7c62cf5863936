// What computes on private values gets nothing to write through.
// EXPECT: no way out by a pointer

#include "privpfc/privacy/private.h"

int f(const privpfc::Private<int>& secret) {
  int out = 0;
#ifdef MISUSE
  int* const way_out = &out;
  auto doubled = privpfc::transform(
      [](int value, int* seen) {
        *seen = value;
        return 2 * value;
      },
      secret, way_out);
#else
  auto doubled =
      privpfc::transform([](int value, int factor) { return factor * value; }, secret, 2);
#endif
  (void)doubled;
  return out;
}
