#include "privpfc/privacy/run_selection.h"

#include <algorithm>
#include <numeric>

#include "privpfc/base/contract.h"
#include "privpfc/privacy/bernoulli_exp.h"
#include "privpfc/privacy/exp_bounds.h"
#include "privpfc/privacy/uint128.h"
#include "privpfc/privacy/uniform.h"

namespace privpfc {

namespace {

using boost::multiprecision::cpp_int;

constexpr unsigned kGuardBits = 64;

// A run's candidates weigh exp(-whole) exp(-rest / denominator) each.
struct Exponent {
  unsigned whole;  // at most ExpCeilings::kLargest
  Uint128 rest;
};

// gap epsilon / range as a quotient of integers, in lowest terms. The gap is below 2^64, an epsilon
// has less than 2^40 units and the range is below 2^64: 104 bits over 94.
class Exponents {
 public:
  explicit Exponents(Sharpness sharpness) : numerator_(sharpness.epsilon.units()) {
    require(numerator_ > 0, "selection needs a positive epsilon");
    const std::uint64_t first = std::gcd(numerator_, Epsilon::kUnitsPerOne);
    const std::uint64_t second = std::gcd(numerator_ / first, sharpness.range.width());
    numerator_ /= first * second;
    denominator_ =
        static_cast<Uint128>(Epsilon::kUnitsPerOne / first) * (sharpness.range.width() / second);
  }

  Uint128 denominator() const { return denominator_; }

  Exponent of(std::uint64_t gap) const {
    const Uint128 numerator = static_cast<Uint128>(gap) * numerator_;
    const Uint128 whole = std::min(numerator / denominator_, Uint128{ExpCeilings::kLargest});
    return {static_cast<unsigned>(whole), numerator - whole * denominator_};
  }

 private:
  std::uint64_t numerator_;
  Uint128 denominator_;
};

}  // namespace

ExpCeilings::ExpCeilings(unsigned scale_bits) : scale_bits_(scale_bits) {
  require(scale_bits <= 60, "at most 60 bits");
  for (unsigned k = 0; k <= kLargest; ++k) {
    const FixedBounds bounds = exp_bounds(k, 1, scale_bits + kGuardBits);
    floors_.push_back(cpp_int(bounds.lo >> kGuardBits).convert_to<std::uint64_t>());
    ceilings_.push_back(cpp_int(bounds.hi >> kGuardBits).convert_to<std::uint64_t>() + 1);
  }
}

// u plus a fraction is uniform below the ceiling; as many bits of the fraction are drawn as are
// needed to tell whether it lies below the true value.
bool ExpCeilings::keeps(BitSource& bits, std::uint64_t u, unsigned k) const {
  if (u < floors_[k]) return true;
  cpp_int drawn = u;
  for (unsigned known = 0;;) {
    drawn = (drawn << 64) | bits.bits(64);
    known += 64;
    const FixedBounds bounds = exp_bounds(k, 1, scale_bits_ + known + kGuardBits);
    if (((drawn + 1) << kGuardBits) <= bounds.lo) return true;
    if ((drawn << kGuardBits) >= bounds.hi) return false;
  }
}

std::uint64_t exponential_choice(BitSource& bits, std::span<const ScoreRun> runs, Better better,
                                 Sharpness sharpness, const ExpCeilings& ceilings) {
  const ScoreRun* best = nullptr;
  std::uint64_t candidates = 0;
  for (const ScoreRun& run : runs) {
    require(run.length <= kMostCandidatesInRuns - candidates, "the list is too long");
    candidates += run.length;
    if (run.length == 0) continue;
    if (best == nullptr ||
        (better == Better::kLower ? run.score < best->score : run.score > best->score)) {
      best = &run;
    }
  }
  require(best != nullptr, "selection from an empty list");

  const Exponents exponents(sharpness);
  const auto exponent_of = [&](const ScoreRun& run) {
    const auto score = static_cast<std::uint64_t>(run.score);
    const auto top = static_cast<std::uint64_t>(best->score);
    return exponents.of(better == Better::kLower ? score - top : top - score);
  };
  std::vector<Uint128> ends;  // of each run, laid end to end: its length times its ceiling
  Uint128 total = 0;          // below 2^40 (2^60 + 2)
  for (const ScoreRun& run : runs) {
    if (run.length > 0) {
      total += static_cast<Uint128>(run.length) * ceilings.at(exponent_of(run).whole);
    }
    ends.push_back(total);
  }
  for (;;) {
    const Uint128 drawn = uniform_below_wide(bits, total);
    const auto at =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), drawn) - ends.begin());
    const Exponent exponent = exponent_of(runs[at]);
    const std::uint64_t ceiling = ceilings.at(exponent.whole);
    const Uint128 within = drawn - (at == 0 ? 0 : ends[at - 1]);
    const auto u = static_cast<std::uint64_t>(within % ceiling);
    if (!ceilings.keeps(bits, u, exponent.whole)) continue;
    if (!bernoulli_exp(bits, exponent.rest, exponents.denominator())) continue;
    auto answer = static_cast<std::uint64_t>(within / ceiling);
    for (std::size_t before = 0; before < at; ++before) answer += runs[before].length;
    return answer;
  }
}

std::vector<std::uint64_t> choose_in_parts(BitSource& bits, const PartScores& parts, Better better,
                                           Rule rule, Sharpness sharpness) {
  std::vector<std::uint64_t> answers;
  static const ExpCeilings ceilings;  // the same for all; takes a while to make
  std::vector<std::int64_t> scores;
  for (const std::vector<ScoreRun>& runs : parts) {
    if (rule == Rule::kExponential) {
      answers.push_back(exponential_choice(bits, runs, better, sharpness, ceilings));
      continue;
    }
    scores.clear();
    for (const ScoreRun& run : runs) scores.insert(scores.end(), run.length, run.score);
    answers.push_back(permute_and_flip(bits, scores, better, sharpness));
  }
  return answers;
}

}  // namespace privpfc
