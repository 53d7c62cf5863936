#include "privpfc/privacy/mechanisms.h"

#include <numeric>
#include <utility>

#include "privpfc/base/contract.h"
#include "privpfc/privacy/uint128.h"

namespace privpfc {

Released<std::vector<std::int64_t>> Mechanisms::noisy_counts(
    const Private<std::vector<std::int64_t>>& counts, std::size_t cells, L1Sensitivity sensitivity,
    Budget budget) {
  const std::vector<std::int64_t>& truth = PrivateAccess::look(counts);
  require(truth.size() == cells, "a histogram has all its cells, the empty ones too");
  return ReleasedAccess::release(answer_counts(truth, sensitivity, std::move(budget).spend()));
}

Released<std::size_t> Mechanisms::select(const Private<std::vector<std::int64_t>>& scores,
                                         std::size_t candidates, Better better, ScoreRange range,
                                         Rule rule, Budget budget) {
  const std::vector<std::int64_t>& truth = PrivateAccess::look(scores);
  require(truth.size() == candidates, "every candidate has a score");
  require(candidates > 0, "selection from an empty list");
  return ReleasedAccess::release(
      answer_choice(truth, better, rule, Sharpness{std::move(budget).spend(), range}));
}

Released<std::vector<std::size_t>> Mechanisms::select_top(
    const Private<std::vector<std::int64_t>>& scores, std::size_t candidates, std::size_t picks,
    Better better, ScoreRange range, Rule rule, Budget budget) {
  std::vector<std::int64_t> left = PrivateAccess::look(scores);
  require(left.size() == candidates, "every candidate has a score");
  require(0 < picks && picks <= candidates, "as many picks as there are candidates, at most");
  std::vector<std::size_t> names(candidates);  // left[i] is the score of names[i]
  std::iota(names.begin(), names.end(), std::size_t{0});
  std::vector<std::size_t> winners;
  const std::vector<std::uint64_t> equal_shares(picks, 1);
  for (Budget& share : std::move(budget).split(equal_shares)) {
    const std::size_t at =
        answer_choice(left, better, rule, Sharpness{std::move(share).spend(), range});
    winners.push_back(names[at]);
    names[at] = names.back();
    names.pop_back();
    left[at] = left.back();
    left.pop_back();
  }
  return ReleasedAccess::release(std::move(winners));
}

Released<std::vector<std::int64_t>> Mechanisms::perturbed_minimum(
    const Private<LabelledPoints>& points, const LinearTask& task, Minimiser minimise,
    Budget budget) {
  return ReleasedAccess::release(answer_weights(PrivateAccess::look(points), task, minimise,
                                                Perturb::kObjective, std::move(budget).spend()));
}

Released<std::vector<std::int64_t>> Mechanisms::perturbed_output(
    const Private<LabelledPoints>& points, const LinearTask& task, Minimiser minimise,
    Budget budget) {
  return ReleasedAccess::release(answer_weights(PrivateAccess::look(points), task, minimise,
                                                Perturb::kOutput, std::move(budget).spend()));
}

Released<std::vector<std::int64_t>> Mechanisms::smooth_values(
    const Private<std::vector<SmoothValue>>& values, std::size_t count, Smoothness smoothness,
    Budget budget) {
  const std::vector<SmoothValue>& truth = PrivateAccess::look(values);
  require(truth.size() == count, "every value is there, of empty classes too");
  const Epsilon epsilon = std::move(budget).spend();
  return ReleasedAccess::release(answer_smooth(truth, smoothness, {epsilon, Delta()}));
}

Released<std::vector<std::int64_t>> Mechanisms::smooth_values_with_delta(
    const Private<std::vector<SmoothValue>>& values, std::size_t count, Smoothness smoothness,
    Budget budget) {
  const std::vector<SmoothValue>& truth = PrivateAccess::look(values);
  require(truth.size() == count, "every value is there, of empty classes too");
  const PrivacyLoss loss = std::move(budget).spend_with_delta();
  require(fits_laplace(loss.epsilon, loss.delta, smoothness), "a delta too small for this beta");
  return ReleasedAccess::release(answer_smooth(truth, smoothness, loss));
}

Released<std::vector<std::uint64_t>> Mechanisms::select_in_parts(const Private<PartScores>& scores,
                                                                 std::size_t parts,
                                                                 std::uint64_t candidates,
                                                                 Better better, ScoreRange range,
                                                                 Rule rule, Budget budget) {
  const PartScores& truth = PrivateAccess::look(scores);
  require(truth.size() == parts, "every part has scores, the empty ones too");
  require(0 < candidates && candidates <= kMostCandidatesInRuns, "1 to 2^40 candidates");
  require(rule == Rule::kExponential || candidates <= kMostFlips, "too many candidates to flip");
  for (const std::vector<ScoreRun>& runs : truth) {
    Uint128 sum = 0;
    for (const ScoreRun& run : runs) sum += run.length;
    require(sum == candidates, "every candidate has a score in every part");
  }
  return ReleasedAccess::release(
      answer_choices(truth, better, rule, Sharpness{std::move(budget).spend(), range}));
}

Private<std::vector<std::uint64_t>> Mechanisms::draw_coins(const Private<std::size_t>& count) {
  return Private<std::vector<std::uint64_t>>(answer_coins(PrivateAccess::look(count)));
}

}  // namespace privpfc
