#include "privpfc/privacy/selection.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "privpfc/base/contract.h"
#include "privpfc/privacy/bernoulli_exp.h"
#include "privpfc/privacy/uniform.h"

namespace privpfc {

namespace {

// One list of scores, ready for coins.
class Coins {
 public:
  Coins(std::span<const std::int64_t> scores, Better better, Sharpness sharpness)
      : scores_(scores), better_(better), numerator_(sharpness.epsilon.units()) {
    require(!scores.empty(), "selection from an empty list");
    require(scores.size() <= std::numeric_limits<std::uint32_t>::max(), "the list is too long");
    require(numerator_ > 0, "selection needs a positive epsilon");
    // epsilon / range in lowest terms: the smaller the numbers, the fewer bits a coin reads.
    const std::uint64_t first = std::gcd(numerator_, Epsilon::kUnitsPerOne);
    const std::uint64_t second = std::gcd(numerator_ / first, sharpness.range.width());
    numerator_ /= first * second;
    denominator_ =
        static_cast<Uint128>(Epsilon::kUnitsPerOne / first) * (sharpness.range.width() / second);
    best_ = better == Better::kLower ? *std::min_element(scores.begin(), scores.end())
                                     : *std::max_element(scores.begin(), scores.end());
  }

  // True with probability exp(-gap epsilon / range). The gap is below 2^64 and an epsilon has less
  // than 2^40 units, so the numerator is below 2^104; the denominator is below 2^94.
  bool shows_heads(BitSource& bits, std::size_t candidate) const {
    return bernoulli_exp(bits, static_cast<Uint128>(gap(candidate)) * numerator_, denominator_);
  }

 private:
  // Unsigned, because the difference of two int64 may not fit an int64.
  std::uint64_t gap(std::size_t candidate) const {
    const auto score = static_cast<std::uint64_t>(scores_[candidate]);
    const auto best = static_cast<std::uint64_t>(best_);
    return better_ == Better::kLower ? score - best : best - score;
  }

  std::span<const std::int64_t> scores_;
  Better better_;
  std::uint64_t numerator_;
  Uint128 denominator_ = 1;
  std::int64_t best_ = 0;
};

}  // namespace

std::size_t exponential_choice(BitSource& bits, std::span<const std::int64_t> scores, Better better,
                               Sharpness sharpness) {
  const Coins coins(scores, better, sharpness);
  // The best candidate always shows heads, so the expected number of rounds is at most the length.
  for (;;) {
    const std::size_t candidate = uniform_below(bits, scores.size());
    if (coins.shows_heads(bits, candidate)) return candidate;
  }
}

std::size_t permute_and_flip(BitSource& bits, std::span<const std::int64_t> scores, Better better,
                             Sharpness sharpness) {
  const Coins coins(scores, better, sharpness);
  // Fisher-Yates, only as far as it is needed.
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t next = 0; next < order.size(); ++next) {
    std::swap(order[next], order[next + uniform_below(bits, order.size() - next)]);
    if (coins.shows_heads(bits, order[next])) return order[next];
  }
  broken_contract("the best candidate shows heads");
}

}  // namespace privpfc
