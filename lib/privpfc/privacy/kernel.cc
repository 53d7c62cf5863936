#include "privpfc/privacy/kernel.h"

#include "privpfc/privacy/noisy_counts.h"

namespace privpfc {

std::vector<std::int64_t> Kernel::answer_counts(std::span<const std::int64_t> counts,
                                                L1Sensitivity sensitivity, Epsilon epsilon) {
  return add_noise(bits_, counts, sensitivity, epsilon);
}

std::size_t Kernel::answer_choice(std::span<const std::int64_t> scores, Better better, Rule rule,
                                  Sharpness sharpness) {
  return rule == Rule::kExponential ? exponential_choice(bits_, scores, better, sharpness)
                                    : permute_and_flip(bits_, scores, better, sharpness);
}

std::vector<std::int64_t> Kernel::answer_weights(const LabelledPoints& points,
                                                 const LinearTask& task, Minimiser minimise,
                                                 Perturb perturb, Epsilon epsilon) {
  return perturbed_weights(bits_, points, task, minimise, perturb, epsilon);
}

std::vector<std::int64_t> Kernel::answer_smooth(std::span<const SmoothValue> values,
                                                Smoothness smoothness, PrivacyLoss loss) {
  return loss.delta == Delta() ? add_cauchy_noise(bits_, values, smoothness, loss.epsilon)
                               : add_laplace_noise(bits_, values, loss.epsilon);
}

std::vector<std::uint64_t> Kernel::answer_choices(const PartScores& scores, Better better,
                                                  Rule rule, Sharpness sharpness) {
  return choose_in_parts(bits_, scores, better, rule, sharpness);
}

std::vector<std::uint64_t> Kernel::answer_coins(std::size_t count) {
  std::vector<std::uint64_t> coins(count);
  for (std::uint64_t& coin : coins) coin = bits_.bits(64);
  return coins;
}

}  // namespace privpfc
