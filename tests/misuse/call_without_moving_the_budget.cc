// A mechanism takes its budget by value: the caller has to give it away.
// EXPECT: (use of deleted function|call to deleted constructor).*Budget

#include <utility>

#include "privpfc/privacy/mechanisms.h"

using Counts = std::vector<std::int64_t>;

auto f(privpfc::Mechanisms& m, const privpfc::Private<Counts>& counts, privpfc::Budget budget) {
#ifdef MISUSE
  return m.noisy_counts(counts, 1, privpfc::L1Sensitivity(1), budget);
#else
  return m.noisy_counts(counts, 1, privpfc::L1Sensitivity(1), std::move(budget));
#endif
}
