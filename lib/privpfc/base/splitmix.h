#pragma once

#include <cstdint>

namespace privpfc {

// splitmix64: numbers that look random and follow from the seed alone. For public orders and for
// experiments; what protects anybody takes its bits from the system.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }

  // Below `limit` > 0, as evenly as 64 bits allow.
  std::uint64_t below(std::uint64_t limit) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * limit) >> 64);
  }

 private:
  std::uint64_t state_;
};

}  // namespace privpfc
