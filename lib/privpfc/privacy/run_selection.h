#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/selection.h"

namespace privpfc {

// Candidates by the million, many of them with equal scores (the thresholds between two values of a
// number, say): `length` candidates in a row that all have this score. The candidates of a list of
// runs are numbered through; a run without length is allowed.
struct ScoreRun {
  std::int64_t score = 0;
  std::uint64_t length = 0;
  friend bool operator==(const ScoreRun&, const ScoreRun&) = default;
};

// Upper bounds on 2^scale_bits exp(-k) for k = 0, ..., 42, and a coin that makes good for the
// difference. Fewer bits are for tests; the law of what is drawn is the same for all.
class ExpCeilings {
 public:
  static constexpr unsigned kLargest = 42;

  explicit ExpCeilings(unsigned scale_bits = 60);

  std::uint64_t at(unsigned k) const { return ceilings_[k]; }

  // Requires: u uniform below at(k). Ensures: true with probability 2^scale_bits exp(-k) / at(k).
  bool keeps(BitSource& bits, std::uint64_t u, unsigned k) const;

 private:
  unsigned scale_bits_;
  std::vector<std::uint64_t> floors_;  // certainly not above the true value
  std::vector<std::uint64_t> ceilings_;
};

// By part: the scores of its candidates.
using PartScores = std::vector<std::vector<ScoreRun>>;

inline constexpr std::uint64_t kMostCandidatesInRuns = 1ULL << 40;

// The exponential mechanism as in selection.h, over all candidates of the runs. Requires: 1 to
// kMostCandidatesInRuns candidates, epsilon > 0. Answers with the number of a candidate. The time
// grows with the number of runs, not of candidates. Proof: run_selection.md.
std::uint64_t exponential_choice(BitSource& bits, std::span<const ScoreRun> runs, Better better,
                                 Sharpness sharpness, const ExpCeilings& ceilings);

// One choice of its own for every part. Requires: all parts have candidates; by permute-and-flip
// each of them is looked at alone, so that there should be few.
std::vector<std::uint64_t> choose_in_parts(BitSource& bits, const PartScores& parts, Better better,
                                           Rule rule, Sharpness sharpness);

}  // namespace privpfc
