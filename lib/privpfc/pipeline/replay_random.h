#pragma once

#include <cstdint>

namespace privpfc {

// Numbers for turning released cells into rows. They hide nothing: the seed is published with the
// release, so that anyone can rebuild the rows. Each number depends on the seed, the stream and its
// place alone, so that rows can be made in any order, in any number of batches and threads.
class ReplayRandom {
 public:
  explicit ReplayRandom(std::uint64_t seed, std::uint64_t stream = 0)
      : seed_(seed), base_(mix(seed ^ (stream * 0xd1342543de82ef95u + 0x632be59bd9b4e019u))) {}

  // Another stream of the same seed.
  ReplayRandom stream(std::uint64_t number) const { return ReplayRandom(seed_, number); }

  // 64 bits for this place.
  std::uint64_t bits(std::uint64_t place) const {
    return mix(base_ + (place + 1) * 0x9e3779b97f4a7c15u);
  }

  // Below `limit` > 0. The tiny unevenness does not matter here.
  std::uint64_t below(std::uint64_t limit, std::uint64_t place) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits(place)) * limit) >> 64);
  }

 private:
  static std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
  }

  std::uint64_t seed_;
  std::uint64_t base_;
};

}  // namespace privpfc
