#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "privpfc/table/coded.h"

namespace privpfc {

// A fixed set of texts and where each goes. Looked up once per cell of a CSV file, so it is a flat
// hash table whose probe usually touches one slot and compares one text.
class SpellingTable {
 public:
  SpellingTable();

  // The first one added for a text counts.
  void add(std::string_view text, Coded coded);

  const Coded* find(std::string_view text) const {
    for (std::size_t i = hash(text) & mask_;; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.begin == kFree) return nullptr;
      if (slot.size == text.size() &&
          std::memcmp(texts_.data() + slot.begin, text.data(), text.size()) == 0) {
        return &slot.coded;
      }
    }
  }

  bool empty() const { return count_ == 0; }

 private:
  static constexpr std::size_t kFree = ~std::size_t{0};
  struct Slot {
    std::size_t begin = kFree;  // in texts_
    std::size_t size = 0;
    Coded coded{};
  };

  static std::size_t hash(std::string_view text) {
    // First and last eight bytes and the length tell most categories apart; probing does the rest.
    std::uint64_t head = 0, tail = 0;
    const std::size_t part = text.size() < 8 ? text.size() : 8;
    if (part > 0) {
      std::memcpy(&head, text.data(), part);
      std::memcpy(&tail, text.data() + text.size() - part, part);
    }
    std::uint64_t h = head * 0x9E3779B97F4A7C15U ^ (tail + text.size()) * 0xC2B2AE3D27D4EB4FU;
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(h >> 20);
  }
  void grow();
  void place(const Slot& slot);

  std::string texts_;
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
};

}  // namespace privpfc
