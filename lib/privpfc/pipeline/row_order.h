#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "privpfc/pipeline/replay_random.h"

namespace privpfc {

// A public order of things 0 .. size - 1 that the seed decides, and that shows nothing of their
// numbers. Each place is computed by itself: no list of all of them is ever held, and any number of
// threads find the same.
//
// The two halves of a number's bits are mixed into each other in turns (a Feistel network), which
// can be undone step by step: so no number is hit twice. What falls outside `size` is mixed again.
class RowOrder {
 public:
  RowOrder(ReplayRandom random, std::uint32_t size);

  // What stands at the places `first`, `first` + 1, ... Requires them to be below the size.
  void fill(std::uint32_t first, std::span<std::uint32_t> things) const;

  using Keys = std::array<std::uint32_t, 6>;  // one per round

 private:
  std::uint32_t size_;
  unsigned low_bits_;
  std::uint32_t low_mask_;
  std::uint32_t high_mask_;
  Keys keys_{};
};

}  // namespace privpfc
