#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace privpfc {

// An index that does not mix with other indices: StrongIndex<struct LeafTag> is no AttributeIndex.
template <typename Tag, typename Rep = std::uint32_t>
class StrongIndex {
 public:
  constexpr StrongIndex() = default;
  constexpr explicit StrongIndex(Rep value) : value_(value) {}
  constexpr explicit StrongIndex(std::size_t value) requires(!std::same_as<Rep, std::size_t>)
      : value_(static_cast<Rep>(value)) {}

  constexpr Rep value() const { return value_; }
  friend constexpr auto operator<=>(StrongIndex, StrongIndex) = default;

 private:
  Rep value_ = 0;
};

using AttributeIndex = StrongIndex<struct AttributeTag>;
using LeafIndex = StrongIndex<struct LeafTag>;    // a leaf of one hierarchy
using NodeIndex = StrongIndex<struct NodeTag>;    // a node of one level of one hierarchy
using LevelIndex = StrongIndex<struct LevelTag>;  // 0 is the root
using ClassIndex = StrongIndex<struct ClassTag>;

}  // namespace privpfc
