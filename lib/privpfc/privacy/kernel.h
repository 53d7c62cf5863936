#pragma once

#include "privpfc/privacy/bit_source.h"
#include "privpfc/privacy/mechanisms.h"

namespace privpfc {

// The mechanisms as they ship: answers drawn from a source of random bits, which outlives this.
class Kernel final : public Mechanisms {
 public:
  explicit Kernel(BitSource& bits) : bits_(bits) {}

 protected:
  std::vector<std::int64_t> answer_counts(std::span<const std::int64_t> counts,
                                          L1Sensitivity sensitivity, Epsilon epsilon) override;
  std::size_t answer_choice(std::span<const std::int64_t> scores, Better better, Rule rule,
                            Sharpness sharpness) override;
  std::vector<std::int64_t> answer_weights(const LabelledPoints& points, const LinearTask& task,
                                           Minimiser minimise, Perturb perturb,
                                           Epsilon epsilon) override;
  std::vector<std::int64_t> answer_smooth(std::span<const SmoothValue> values,
                                          Smoothness smoothness, PrivacyLoss loss) override;
  std::vector<std::uint64_t> answer_choices(const PartScores& scores, Better better, Rule rule,
                                            Sharpness sharpness) override;
  std::vector<std::uint64_t> answer_coins(std::size_t count) override;

 private:
  BitSource& bits_;
};

}  // namespace privpfc
