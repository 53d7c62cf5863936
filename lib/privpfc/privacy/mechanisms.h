#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "privpfc/privacy/budget.h"
#include "privpfc/privacy/objective_perturbation.h"
#include "privpfc/privacy/private.h"
#include "privpfc/privacy/released.h"
#include "privpfc/privacy/run_selection.h"
#include "privpfc/privacy/selection.h"
#include "privpfc/privacy/sensitivity.h"
#include "privpfc/privacy/smooth_noise.h"

namespace privpfc {

// The one way from Private to Released. Each function is (budget)-differentially private in the
// rows behind its private argument, provided that what is declared about that argument is true.
// Neighbours differ by adding or removing one row. Several calls compose: their budgets add up.
//
// How many cells or candidates there are is public and said apart, so that a private vector with
// the wrong length (only the non-empty cells, say) stops the program.
class Mechanisms {
 public:
  Mechanisms(const Mechanisms&) = delete;
  Mechanisms& operator=(const Mechanisms&) = delete;
  virtual ~Mechanisms() = default;

  // Requires: one row changes the counts by at most `sensitivity` in sum; `cells` is public.
  Released<std::vector<std::int64_t>> noisy_counts(const Private<std::vector<std::int64_t>>& counts,
                                                   std::size_t cells, L1Sensitivity sensitivity,
                                                   Budget budget);

  // Requires: there are [lo, hi] with hi - lo = range such that adding any row changes every score
  // by something in [lo, hi]; `candidates` > 0 is public. Answers with an index.
  Released<std::size_t> select(const Private<std::vector<std::int64_t>>& scores,
                               std::size_t candidates, Better better, ScoreRange range, Rule rule,
                               Budget budget);

  // `picks` times select, without the earlier winners, each with an equal share of the budget.
  // Requires: 0 < picks <= candidates. Answers with the winners, first pick first.
  Released<std::vector<std::size_t>> select_top(const Private<std::vector<std::int64_t>>& scores,
                                                std::size_t candidates, std::size_t picks,
                                                Better better, ScoreRange range, Rule rule,
                                                Budget budget);

  // A linear classifier by objective perturbation: the weights that minimise the loss plus a random
  // linear term, in units of 2^-kWeightBits. Requires: one row more or less changes the rows of one
  // point by one, or adds or removes a point of one row; task.lambda >= least_lambda().
  Released<std::vector<std::int64_t>> perturbed_minimum(const Private<LabelledPoints>& points,
                                                        const LinearTask& task, Minimiser minimise,
                                                        Budget budget);

  // The same by output perturbation: the noise goes on the weights. Requires: task.lambda >= 1.
  Released<std::vector<std::int64_t>> perturbed_output(const Private<LabelledPoints>& points,
                                                       const LinearTask& task, Minimiser minimise,
                                                       Budget budget);

  // Noise that follows a smooth bound. Requires: one row more or less changes at most one of the
  // values with its bound, as SmoothValue says for this smoothness; `count` is public; fits_cauchy.
  Released<std::vector<std::int64_t>> smooth_values(const Private<std::vector<SmoothValue>>& values,
                                                    std::size_t count, Smoothness smoothness,
                                                    Budget budget);

  // The same with lighter noise, for a budget with a delta: (epsilon, delta)-differentially
  // private. Requires: fits_laplace.
  Released<std::vector<std::int64_t>> smooth_values_with_delta(
      const Private<std::vector<SmoothValue>>& values, std::size_t count, Smoothness smoothness,
      Budget budget);

  // One selection in each of `parts` disjoint parts of the rows, for one budget. Each part has the
  // same list of candidates, its scores as runs whose lengths sum to `candidates`. Requires: a row
  // alone decides on its part, and in that part alone it changes scores, as for select.
  // kPermuteAndFlip: at most kMostFlips candidates. Answers with an index by part. Proof:
  // run_selection.md.
  static constexpr std::uint64_t kMostFlips = 1ULL << 20;
  Released<std::vector<std::uint64_t>> select_in_parts(const Private<PartScores>& scores,
                                                       std::size_t parts, std::uint64_t candidates,
                                                       Better better, ScoreRange range, Rule rule,
                                                       Budget budget);

  // Independent uniform numbers, one per row: randomness that a method needs before it asks a
  // mechanism (an order of the rows, say). They stay private and cost nothing. Proof: coins.md.
  Private<std::vector<std::uint64_t>> draw_coins(const Private<std::size_t>& count);

 protected:
  // Where the answers come from. See the functions above for what is required and ensured.
  virtual std::vector<std::int64_t> answer_counts(std::span<const std::int64_t> counts,
                                                  L1Sensitivity sensitivity, Epsilon epsilon) = 0;
  virtual std::size_t answer_choice(std::span<const std::int64_t> scores, Better better, Rule rule,
                                    Sharpness sharpness) = 0;
  virtual std::vector<std::int64_t> answer_weights(const LabelledPoints& points,
                                                   const LinearTask& task, Minimiser minimise,
                                                   Perturb perturb, Epsilon epsilon) = 0;
  virtual std::vector<std::int64_t> answer_smooth(std::span<const SmoothValue> values,
                                                  Smoothness smoothness, PrivacyLoss loss) = 0;
  virtual std::vector<std::uint64_t> answer_choices(const PartScores& scores, Better better,
                                                    Rule rule, Sharpness sharpness) = 0;
  virtual std::vector<std::uint64_t> answer_coins(std::size_t count) = 0;

 private:
  // Kernel is the one that ships. The other lives in the tests: it writes down what every mechanism
  // is asked and can replay earlier answers. Nobody else can derive from this class.
  friend class Kernel;
  friend class RecordingMechanisms;
  Mechanisms() = default;
};

}  // namespace privpfc
