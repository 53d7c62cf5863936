#pragma once

#include <cstdint>

namespace privpfc {

// The random bits of one row of the sample: SplitMix64, started from (seed, row). Any row can be
// made without the rows before it, so that neither batches nor threads change a table. For made-up
// data only: this is no source of noise.
class RowBits {
 public:
  RowBits(std::uint64_t seed, std::uint64_t row) : state_(mix(mix(seed + kStep) ^ row)) {}

  std::uint64_t next() {
    state_ += kStep;
    return mix(state_);
  }

  // 0 to 65535, each as likely as the next.
  std::uint32_t below_65536() { return static_cast<std::uint32_t>(next() >> 48); }

  // True `per_mille` times in a thousand, to within 1 in 65,536.
  bool chance(std::int32_t per_mille) {
    return static_cast<std::int32_t>(below_65536()) < per_mille * 65536 / 1000;
  }

  // A bell around 0 with standard deviation `sd`: four uniform numbers added up. Whole numbers
  // only, so that every machine gets the same one.
  std::int32_t bell(std::int32_t sd) {
    const std::uint64_t bits = next();
    const auto sum = static_cast<std::int64_t>((bits & 0xffff) + (bits >> 16 & 0xffff) +
                                               (bits >> 32 & 0xffff) + (bits >> 48));
    constexpr std::int64_t kMean = 2 * 65535, kDeviation = 37837;
    return static_cast<std::int32_t>((sum - kMean) * sd / kDeviation);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
};

}  // namespace privpfc
