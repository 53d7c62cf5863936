// Budgets come from a source that has written the debit down.
// EXPECT: (is private within this context|calling a private constructor)

#include "privpfc/privacy/budget.h"

privpfc::Epsilon f(privpfc::Epsilon epsilon) {
#ifdef MISUSE
  return privpfc::Budget(epsilon, privpfc::Delta()).spend();
#else
  return epsilon;
#endif
}
