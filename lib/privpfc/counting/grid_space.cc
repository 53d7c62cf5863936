#include "privpfc/counting/grid_space.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

void order_axes(const Schema& schema, std::vector<AttributeIndex>& attributes) {
  const auto leaves = [&](AttributeIndex index) { return schema[index].hierarchy.leaf_count(); };
  const auto levels = [&](AttributeIndex index) { return schema[index].hierarchy.level_count(); };
  std::stable_sort(attributes.begin(), attributes.end(),
                   [&](AttributeIndex a, AttributeIndex b) { return leaves(a) > leaves(b); });
  auto chain = attributes.begin();
  for (auto other = chain; other != attributes.end(); ++other) {
    if (levels(*other) >= levels(*chain)) chain = other;  // of equals, the one with fewest leaves
  }
  std::rotate(chain, chain + 1, attributes.end());
}

}  // namespace

std::vector<AttributeIndex> used_attributes(const Schema& schema) {
  std::vector<AttributeIndex> used;
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    if (schema.attributes[i].used) used.emplace_back(i);
  }
  return used;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return a != 0 && b > kMost / a ? kMost : a * b;
}

GridSpace::GridSpace(const Schema& schema) : GridSpace(schema, used_attributes(schema)) {}

GridSpace::GridSpace(const Schema& schema, std::vector<AttributeIndex> attributes) {
  require(!attributes.empty(), "a grid space has at least one axis");
  order_axes(schema, attributes);
  for (const AttributeIndex index : attributes) {
    const Hierarchy& hierarchy = schema[index].hierarchy;
    const std::size_t levels = hierarchy.level_count();
    Axis axis{index, {}, std::vector<std::vector<std::uint16_t>>(levels * levels)};
    for (std::size_t level = 0; level < levels; ++level) {
      axis.node_counts.push_back(
          static_cast<std::uint32_t>(hierarchy.node_count(LevelIndex(level))));
    }
    for (std::size_t from = 0; from < levels; ++from) {
      const auto fine = hierarchy.nodes_of_leaves(LevelIndex(from));
      for (std::size_t to = 0; to <= from; ++to) {
        const auto coarse = hierarchy.nodes_of_leaves(LevelIndex(to));
        auto& table = axis.coarsenings[from * levels + to];
        table.resize(axis.node_counts[from]);
        for (std::size_t leaf = 0; leaf < fine.size(); ++leaf) table[fine[leaf]] = coarse[leaf];
      }
    }
    axes_.push_back(std::move(axis));
  }
  lay_out_keys();
}

void GridSpace::lay_out_keys() {
  unsigned used_bits = 0;
  for (Axis& axis : axes_) {
    const auto bits = static_cast<unsigned>(std::bit_width(axis.node_counts.back() - 1));
    if (bits == 0) continue;  // a single leaf: its field is empty, and nowhere
    if (used_bits + bits > 64) {
      ++key_words_;
      used_bits = 0;
    }
    axis.field = {key_words_ - 1, used_bits, (std::uint64_t{1} << bits) - 1};
    used_bits += bits;
  }
}

std::uint64_t GridSpace::cell_count(std::span<const std::uint8_t> grid) const {
  require(grid.size() == axes_.size(), "a grid has one level per axis");
  std::uint64_t cells = 1;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    cells = saturating_product(cells, node_count(axis, grid[axis]));
  }
  return cells;
}

}  // namespace privpfc
