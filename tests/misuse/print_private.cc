// EXPECT: (deleted function|deleted operator)

#include <iostream>

#include "privpfc/privacy/private.h"

void f(const privpfc::Private<int>& secret) {
#ifdef MISUSE
  std::cout << secret;
#else
  (void)secret;
  std::cout << 1;
#endif
}
