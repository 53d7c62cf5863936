// Sensitivity has no default and does not come from a bare number.
// EXPECT: (could not convert|no viable conversion|no matching|cannot convert)

#include <utility>

#include "privpfc/privacy/mechanisms.h"

using Counts = std::vector<std::int64_t>;

auto f(privpfc::Mechanisms& m, const privpfc::Private<Counts>& counts, privpfc::Budget budget) {
#ifdef MISUSE
  return m.noisy_counts(counts, 1, 1, std::move(budget));
#else
  return m.noisy_counts(counts, 1, privpfc::L1Sensitivity(1), std::move(budget));
#endif
}
