#include "privpfc/table/spelling_table.h"

#include <utility>

namespace privpfc {

SpellingTable::SpellingTable() : slots_(4), mask_(3) {}

void SpellingTable::add(std::string_view text, Coded coded) {
  if (find(text) != nullptr) return;
  if (2 * (count_ + 1) > slots_.size()) grow();
  const std::size_t begin = texts_.size();
  texts_ += text;
  place({begin, text.size(), ends_of(text), coded});
  ++count_;
}

void SpellingTable::place(const Slot& slot) {
  std::size_t i = hash(slot.ends, slot.size) & mask_;
  while (slots_[i].begin != kFree) i = (i + 1) & mask_;
  slots_[i] = slot;
}

void SpellingTable::grow() {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  mask_ = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.begin != kFree) place(slot);
  }
}

}  // namespace privpfc
