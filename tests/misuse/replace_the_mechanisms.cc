// Nobody but the kernel answers in the place of the mechanisms.
// EXPECT: (is private within this context|inaccessible default constructor)

#include "privpfc/privacy/kernel.h"

#ifdef MISUSE
class Honest final : public privpfc::Mechanisms {
 public:
  Honest() = default;

 protected:
  std::vector<std::int64_t> answer_counts(std::span<const std::int64_t> counts,
                                          privpfc::L1Sensitivity, privpfc::Epsilon) override {
    return {counts.begin(), counts.end()};
  }
  std::size_t answer_choice(std::span<const std::int64_t>, privpfc::Better, privpfc::Rule,
                            privpfc::Sharpness) override {
    return 0;
  }
};

Honest honest;
#else
privpfc::Kernel kernel(privpfc::BitSource& bits) {
  return privpfc::Kernel(bits);
}
#endif
