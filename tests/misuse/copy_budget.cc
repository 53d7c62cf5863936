// A budget is moved, never copied.
// EXPECT: (use of deleted function|call to deleted constructor).*Budget

#include <utility>

#include "privpfc/privacy/budget.h"

privpfc::Budget pass_on(privpfc::Budget budget) {
#ifdef MISUSE
  privpfc::Budget second = budget;
  return second;
#else
  return budget;
#endif
}
