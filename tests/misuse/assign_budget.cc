// Assigning would drop what the left side held.
// EXPECT: (use of deleted function|overload resolution selected deleted operator)

#include <utility>

#include "privpfc/privacy/budget.h"

void keep(privpfc::Budget a, privpfc::Budget b) {
#ifdef MISUSE
  a = std::move(b);
#else
  privpfc::Budget c = std::move(b);
  std::move(a).spend();
#endif
}
