// A figure computed on real rows does not get into a release.
// EXPECT: (could not convert|no viable conversion|invalid initialization|no known conversion)

#include "privpfc/privacy/released.h"

int write(const privpfc::Released<int>& known) {
  return known.value();
}

int f(const privpfc::Diagnostic<int>& figure, const privpfc::Released<int>& known) {
#ifdef MISUSE
  return write(figure);
#else
  return write(known) + figure.value();
#endif
}
