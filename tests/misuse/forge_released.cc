// Only a mechanism or post_process makes a Released.
// EXPECT: (is private within this context|calling a private constructor)

#include "privpfc/privacy/released.h"

int f(int truth) {
#ifdef MISUSE
  return privpfc::Released<int>(truth).value();
#else
  return truth;
#endif
}
