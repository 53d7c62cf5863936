#include "privpfc/pipeline/row_order.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "privpfc/base/wide.h"

namespace privpfc {
namespace {

struct Network {
  unsigned low_bits;
  std::uint32_t low_mask;
  std::uint32_t high_mask;
  RowOrder::Keys keys;
};

inline std::uint32_t scrambled(std::uint32_t half, std::uint32_t key) {
  std::uint32_t mixed = (half + key) * 0x9e3779b1u;
  mixed = (mixed ^ (mixed >> 15)) * 0x85ebca77u;
  return mixed >> 14;
}

// In place, and without a branch, so that many go through at once.
PRIVPFC_WIDE void permute(const Network& network, std::uint32_t* things, std::size_t count) {
  const auto [low_bits, low_mask, high_mask, keys] = network;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t low = things[i] & low_mask;
    std::uint32_t high = things[i] >> low_bits;
    low ^= scrambled(high, keys[0]) & low_mask;
    high ^= scrambled(low, keys[1]) & high_mask;
    low ^= scrambled(high, keys[2]) & low_mask;
    high ^= scrambled(low, keys[3]) & high_mask;
    low ^= scrambled(high, keys[4]) & low_mask;
    high ^= scrambled(low, keys[5]) & high_mask;
    things[i] = (high << low_bits) | low;
  }
}

}  // namespace

RowOrder::RowOrder(ReplayRandom random, std::uint32_t size) : size_(size) {
  const auto bits = static_cast<unsigned>(std::bit_width(std::max(size, 3u) - 1));
  low_bits_ = bits / 2;
  low_mask_ = (std::uint32_t{1} << low_bits_) - 1;
  high_mask_ = (std::uint32_t{1} << (bits - low_bits_)) - 1;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    keys_[i] = static_cast<std::uint32_t>(random.bits(i));
  }
}

void RowOrder::fill(std::uint32_t first, std::span<std::uint32_t> things) const {
  const Network network{low_bits_, low_mask_, high_mask_, keys_};
  for (std::size_t i = 0; i < things.size(); ++i) {
    things[i] = first + static_cast<std::uint32_t>(i);
  }
  permute(network, things.data(), things.size());
  std::vector<std::size_t> outside;
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (things[i] >= size_) outside.push_back(i);
  }
  std::vector<std::uint32_t> again;
  while (!outside.empty()) {
    again.clear();
    for (const std::size_t i : outside) again.push_back(things[i]);
    permute(network, again.data(), again.size());
    std::size_t left = 0;
    for (std::size_t i = 0; i < again.size(); ++i) {
      things[outside[i]] = again[i];
      if (again[i] >= size_) outside[left++] = outside[i];
    }
    outside.resize(left);
  }
}

}  // namespace privpfc
