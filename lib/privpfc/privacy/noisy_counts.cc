#include "privpfc/privacy/noisy_counts.h"

#include <algorithm>
#include <limits>

#include "privpfc/privacy/discrete_laplace.h"
#include "privpfc/privacy/laplace_table.h"

namespace privpfc {

namespace {

// A table pays off from about this many draws. Both ways have the same law.
constexpr std::size_t kWorthATable = 4'096;

std::int64_t noisy(std::int64_t count, Int128 noise) {
  // Summed before it is cut to size, so that the cut is post-processing.
  constexpr Int128 least = std::numeric_limits<std::int64_t>::min();
  constexpr Int128 most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(count + noise, least, most));
}

}  // namespace

std::vector<std::int64_t> add_noise(BitSource& bits, std::span<const std::int64_t> counts,
                                    L1Sensitivity sensitivity, Epsilon epsilon) {
  const Decay decay = decay_of(epsilon, sensitivity);
  std::vector<std::int64_t> answer(counts.begin(), counts.end());
  if (counts.size() < kWorthATable) {
    for (std::int64_t& count : answer) count = noisy(count, sample_discrete_laplace(bits, decay));
  } else {
    const LaplaceTable table(decay);
    for (std::int64_t& count : answer) count = noisy(count, table.sample(bits));
  }
  return answer;
}

}  // namespace privpfc
