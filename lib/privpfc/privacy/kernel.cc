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

}  // namespace privpfc
