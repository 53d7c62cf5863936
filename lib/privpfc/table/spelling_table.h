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
    const Ends ends = ends_of(text);
    for (std::size_t i = hash(ends, text.size()) & mask_;; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.begin == kFree) return nullptr;
      // Up to 16 bytes the two ends are the whole text.
      if (slot.size == text.size() && slot.ends == ends &&
          (text.size() <= 16 ||
           std::memcmp(texts_.data() + slot.begin, text.data(), text.size()) == 0)) {
        return &slot.coded;
      }
    }
  }

  bool empty() const { return count_ == 0; }

 private:
  static constexpr std::size_t kFree = ~std::size_t{0};

  // The first and the last eight bytes; of a shorter text, all bytes, in some order that together
  // with the length tells them apart.
  struct Ends {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    friend bool operator==(const Ends&, const Ends&) = default;
  };
  struct Slot {
    std::size_t begin = kFree;  // in texts_
    std::size_t size = 0;
    Ends ends{};
    Coded coded{};
  };

  template <typename Word>
  static std::uint64_t load(const char* bytes) {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }
  static Ends ends_of(std::string_view text) {
    const char* first = text.data();
    const std::size_t size = text.size();
    if (size >= 8) return {load<std::uint64_t>(first), load<std::uint64_t>(first + size - 8)};
    if (size >= 4) return {load<std::uint32_t>(first), load<std::uint32_t>(first + size - 4)};
    if (size >= 2) return {load<std::uint16_t>(first), load<std::uint16_t>(first + size - 2)};
    if (size == 1) return {load<std::uint8_t>(first), 0};
    return {};
  }
  static std::size_t hash(const Ends& ends, std::size_t size) {
    std::uint64_t h = ends.head * 0x9E3779B97F4A7C15U ^ (ends.tail + size) * 0xC2B2AE3D27D4EB4FU;
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
