#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "privpfc/base/contract.h"
#include "privpfc/privacy/mechanisms.h"
#include "privpfc/privacy/noisy_counts.h"

namespace privpfc {

// What a mechanism was asked, with the private input in clear: for tests on made-up data only.
struct RecordedCall {
  enum class Kind { kCounts, kChoice, kChoices, kCoins, kSmooth, kWeights };
  Kind kind = Kind::kCounts;
  std::vector<std::int64_t> input;     // the counts, or the scores
  std::uint64_t sensitivity = 0;       // L1 sensitivity, or width of the score range
  Epsilon epsilon;                     // what this call cost
  std::optional<Better> better;        // choices only
  std::optional<Rule> rule;            // choices only
  std::vector<std::int64_t> answer;    // the noisy counts, or one index
  std::vector<SmoothValue> smooth{};   // smooth values only, with
  Smoothness smoothness{};             // their smoothness
  Delta delta{};                       // and what they cost besides epsilon
  std::vector<std::uint64_t> coins{};  // coins only
  std::optional<LabelledPoints> points = std::nullopt;  // weights only, with
  std::optional<LinearTask> task = std::nullopt;        // what was asked
  std::optional<Perturb> perturb = std::nullopt;
  PartScores parts{};  // choices in parts only; `answer` has an index by part
};

// Stands where Kernel stands in the shipped program. Writes every call down; answers by drawing,
// or, given an earlier recording, with the answers of that one, whatever the input: a run on D' can
// then be compared call by call with the run on D.
class RecordingMechanisms final : public Mechanisms {
 public:
  explicit RecordingMechanisms(BitSource& bits) : bits_(&bits) {}
  explicit RecordingMechanisms(std::vector<RecordedCall> replay) : replay_(std::move(replay)) {}

  // For tables whose rows have coins: row i is row origins[i] of the recorded table and keeps its
  // coin; kNewRow gets one of its own.
  static constexpr std::size_t kNewRow = SIZE_MAX;
  RecordingMechanisms(std::vector<RecordedCall> replay, std::vector<std::size_t> origins)
      : replay_(std::move(replay)), origins_(std::move(origins)) {}

  const std::vector<RecordedCall>& calls() const { return calls_; }

  Delta spent_delta() const {
    Delta sum;
    for (const RecordedCall& call : calls_) sum = sum + call.delta;
    return sum;
  }

  Epsilon spent() const {
    Epsilon sum;
    for (const RecordedCall& call : calls_) sum = sum + call.epsilon;
    return sum;
  }

 protected:
  std::vector<std::int64_t> answer_counts(std::span<const std::int64_t> counts,
                                          L1Sensitivity sensitivity, Epsilon epsilon) override {
    RecordedCall call{RecordedCall::Kind::kCounts,
                      {counts.begin(), counts.end()},
                      sensitivity.value(),
                      epsilon,
                      std::nullopt,
                      std::nullopt,
                      {}};
    call.answer =
        bits_ != nullptr ? add_noise(*bits_, counts, sensitivity, epsilon) : earlier(call).answer;
    calls_.push_back(call);
    return call.answer;
  }

  std::size_t answer_choice(std::span<const std::int64_t> scores, Better better, Rule rule,
                            Sharpness sharpness) override {
    RecordedCall call{RecordedCall::Kind::kChoice,
                      {scores.begin(), scores.end()},
                      sharpness.range.width(),
                      sharpness.epsilon,
                      better,
                      rule,
                      {}};
    if (bits_ != nullptr) {
      const std::size_t chosen = rule == Rule::kExponential
                                     ? exponential_choice(*bits_, scores, better, sharpness)
                                     : permute_and_flip(*bits_, scores, better, sharpness);
      call.answer = {static_cast<std::int64_t>(chosen)};
    } else {
      call.answer = earlier(call).answer;
    }
    calls_.push_back(call);
    return static_cast<std::size_t>(call.answer[0]);
  }

  std::vector<std::int64_t> answer_weights(const LabelledPoints& points, const LinearTask& task,
                                           Minimiser minimise, Perturb perturb,
                                           Epsilon epsilon) override {
    RecordedCall call;
    call.kind = RecordedCall::Kind::kWeights;
    call.sensitivity = 1;  // rows
    call.epsilon = epsilon;
    call.points = points;
    call.task = task;
    call.perturb = perturb;
    call.answer = bits_ != nullptr
                      ? perturbed_weights(*bits_, points, task, minimise, perturb, epsilon)
                      : earlier(call).answer;
    calls_.push_back(call);
    return call.answer;
  }

  std::vector<std::int64_t> answer_smooth(std::span<const SmoothValue> values,
                                          Smoothness smoothness, PrivacyLoss loss) override {
    RecordedCall call;
    call.kind = RecordedCall::Kind::kSmooth;
    for (const SmoothValue& value : values) call.input.push_back(value.value);
    call.epsilon = loss.epsilon;
    call.smooth = {values.begin(), values.end()};
    call.smoothness = smoothness;
    call.delta = loss.delta;
    if (bits_ == nullptr) {
      call.answer = earlier(call).answer;
    } else {
      call.answer = loss.delta == Delta()
                        ? add_cauchy_noise(*bits_, values, smoothness, loss.epsilon)
                        : add_laplace_noise(*bits_, values, loss.epsilon);
    }
    calls_.push_back(call);
    return call.answer;
  }

  std::vector<std::uint64_t> answer_choices(const PartScores& scores, Better better, Rule rule,
                                            Sharpness sharpness) override {
    RecordedCall call;
    call.kind = RecordedCall::Kind::kChoices;
    call.sensitivity = sharpness.range.width();
    call.epsilon = sharpness.epsilon;
    call.better = better;
    call.rule = rule;
    call.parts = scores;
    if (bits_ != nullptr) {
      for (const std::uint64_t chosen : choose_in_parts(*bits_, scores, better, rule, sharpness)) {
        call.answer.push_back(static_cast<std::int64_t>(chosen));
      }
    } else {
      require(earlier(call).parts.size() == scores.size(), "replay: other parts than recorded");
      call.answer = earlier(call).answer;
    }
    calls_.push_back(call);
    return {call.answer.begin(), call.answer.end()};
  }

  std::vector<std::uint64_t> answer_coins(std::size_t count) override {
    RecordedCall call;
    call.kind = RecordedCall::Kind::kCoins;
    if (bits_ != nullptr) {
      for (std::size_t i = 0; i < count; ++i) call.coins.push_back(bits_->bits(64));
    } else {
      const std::vector<std::uint64_t>& then = earlier(call).coins;
      require(count == origins_.size(), "replay: coins for other rows than the table's");
      for (const std::size_t origin : origins_) {
        call.coins.push_back(origin == kNewRow ? kCoinOfNewRow : then.at(origin));
      }
    }
    calls_.push_back(call);
    return call.coins;
  }

 private:
  static constexpr std::uint64_t kCoinOfNewRow = 0x5555'5555'5555'5555;

  const RecordedCall& earlier(const RecordedCall& call) const {
    require(calls_.size() < replay_.size(), "replay: more calls than were recorded");
    const RecordedCall& then = replay_[calls_.size()];
    require(then.kind == call.kind && then.input.size() == call.input.size(),
            "replay: another call than was recorded");
    return then;
  }

  BitSource* bits_ = nullptr;  // none: replay
  std::vector<RecordedCall> replay_;
  std::vector<std::size_t> origins_;
  std::vector<RecordedCall> calls_;
};

}  // namespace privpfc
