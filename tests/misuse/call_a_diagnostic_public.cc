// EXPECT: this value is not public

#include "privpfc/privacy/released.h"

int f(const privpfc::Diagnostic<int>& figure, const int& option) {
#ifdef MISUSE
  (void)option;
  return privpfc::as_public(figure).value().value();
#else
  (void)figure;
  return privpfc::as_public(option).value();
#endif
}
