#include <algorithm>
#include <set>
#include <utility>

#include "privpfc/base/contract.h"
#include "privpfc/base/splitmix.h"
#include "privpfc/counting/grid_pool.h"

namespace privpfc {
namespace {

using Axes = std::vector<std::uint16_t>;

// Fixed: which part of the pool is looked at must not depend on a row.
constexpr std::uint64_t kSeed = 20'161'116;

// The order in which a complete pool has its blocks: at the first axis in which two differ, the one
// that has it comes first.
bool comes_first(const GridPool::Block& a, const GridPool::Block& b) {
  const auto [at, other] =
      std::mismatch(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end());
  if (at == a.axes.end()) return false;
  return other == b.axes.end() || *at < *other;
}

}  // namespace

// Adds whole blocks, one set of axes at a time, as long as they keep to a limit.
class PoolSampler {
 public:
  PoolSampler(const GridSpace& space, std::uint64_t most_cells)
      : space_(space), most_cells_(most_cells) {
    for (std::size_t axis = 0; axis < space.chain(); ++axis) {
      if (space.level_count(axis) > 1) axes_.push_back(static_cast<std::uint16_t>(axis));
    }
  }

  bool add_all_over(const Axes& axes, const GridPool::Limits& limits) {
    Axes chosen;
    return extend(axes, 0, 1, chosen, limits);
  }

  // Sets of `count` axes, until the limits or a thousand failures in a row say that it is enough.
  void add_some_of(std::size_t count, const GridPool::Limits& limits) {
    constexpr int kMostFailures = 1'000;
    for (int failures = 0; failures < kMostFailures; ++failures) {
      for (std::size_t i = 0; i < count; ++i) {
        std::swap(axes_[i], axes_[i + draws_.below(axes_.size() - i)]);
      }
      Axes axes(axes_.begin(), axes_.begin() + static_cast<std::ptrdiff_t>(count));
      std::sort(axes.begin(), axes.end());
      if (coarsest_cells(axes) <= most_cells_ && !seen_.contains(axes) && add(axes, limits)) {
        failures = -1;
      }
    }
  }

  // How many axes a set can have at most.
  std::size_t largest_set() const {
    std::vector<std::uint32_t> sizes;
    for (const std::uint16_t axis : axes_) sizes.push_back(space_.node_count(axis, 1));
    std::sort(sizes.begin(), sizes.end());
    std::size_t count = 0;
    for (std::uint64_t cells = 1; count < sizes.size(); ++count) {
      cells = saturating_product(cells, sizes[count]);
      if (cells > most_cells_) break;
    }
    return count;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t total_cells() const { return total_cells_; }

  void clear() {
    blocks_.clear();
    seen_.clear();
    size_ = total_cells_ = 0;
  }

  GridPool finish() {
    std::sort(blocks_.begin(), blocks_.end(), comes_first);
    GridPool pool;
    pool.most_cells_ = most_cells_;
    pool.is_complete_ = false;
    pool.size_ = size_;
    pool.total_cells_ = total_cells_;
    std::uint64_t first = 0;
    for (GridPool::Block& block : blocks_) {
      block.first_grid = first;
      first += block.grid_count;
    }
    pool.blocks_ = std::move(blocks_);
    return pool;
  }

 private:
  std::uint64_t coarsest_cells(const Axes& axes) const {
    return least_cells(space_, GridPool::Block{axes, 0, 0});
  }

  bool extend(const Axes& axes, std::size_t next, std::uint64_t cells, Axes& chosen,
              const GridPool::Limits& limits) {
    if (next == axes.size()) return add(chosen, limits);
    const std::uint64_t with = saturating_product(cells, space_.node_count(axes[next], 1));
    if (with <= most_cells_) {
      chosen.push_back(axes[next]);
      const bool fits = extend(axes, next + 1, with, chosen, limits);
      chosen.pop_back();
      if (!fits) return false;
    }
    return extend(axes, next + 1, cells, chosen, limits);
  }

  bool add(const Axes& axes, const GridPool::Limits& limits) {
    GridPool::Block block{axes, 0, 0};
    std::uint64_t cells = 0;
    if (!count(block, 0, 1, coarsest_cells(axes), limits, cells)) return false;
    size_ += block.grid_count;
    total_cells_ += cells;
    seen_.insert(axes);
    blocks_.push_back(std::move(block));
    return true;
  }

  // Counts the grids of a block and their cells; false as soon as they are too many, which may be
  // long before the end. The same steps as for_each_chain().
  bool count(GridPool::Block& block, std::size_t position, std::uint64_t cells,
             std::uint64_t least_behind, const GridPool::Limits& limits,
             std::uint64_t& total) const {
    if (position == block.axes.size()) {
      const std::size_t deepest = deepest_chain_level(space_, cells, most_cells_);
      block.grid_count += deepest + 1;
      for (std::size_t level = 0; level <= deepest; ++level) {
        total += cells * space_.node_count(space_.chain(), level);
      }
      return size_ + block.grid_count <= limits.grids && total_cells_ + total <= limits.total_cells;
    }
    const std::size_t axis = block.axes[position];
    const std::uint64_t behind = least_behind / space_.node_count(axis, 1);
    for (std::size_t level = 1; level < space_.level_count(axis); ++level) {
      const std::uint64_t here = cells * space_.node_count(axis, level);
      if (saturating_product(here, behind) > most_cells_) break;
      if (!count(block, position + 1, here, behind, limits, total)) return false;
    }
    return true;
  }

  const GridSpace& space_;
  const std::uint64_t most_cells_;
  Axes axes_;  // all but the chain, in an order that drawing changes
  SplitMix draws_{kSeed};
  std::vector<GridPool::Block> blocks_;
  std::set<Axes> seen_;
  std::uint64_t size_ = 0;
  std::uint64_t total_cells_ = 0;
};

GridPool GridPool::sample(const GridSpace& space, std::uint64_t most_cells, const Limits& limits,
                          const std::vector<std::size_t>& ranked) {
  require(most_cells >= 1, "a grid has at least one cell");
  PoolSampler sampler(space, most_cells);
  const Limits half{limits.grids / 2, limits.total_cells / 2};
  Axes complete;
  std::size_t count = ranked.size();
  for (;; --count) {
    complete.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t axis = ranked[i];
      if (axis != space.chain() && space.level_count(axis) > 1) {
        complete.push_back(static_cast<std::uint16_t>(axis));
      }
    }
    std::sort(complete.begin(), complete.end());
    sampler.clear();
    if (sampler.add_all_over(complete, count == 0 ? limits : half)) break;
    // Limits below what the chain alone needs leave the one-cell grid.
    if (count == 0) return enumerate(space, 1, 1).value();
  }
  const std::size_t most_axes = sampler.largest_set();
  for (std::size_t axes = 1; axes <= most_axes; ++axes) {
    const std::uint64_t strata = most_axes - axes + 1;
    sampler.add_some_of(
        axes, {sampler.size() + (limits.grids - sampler.size()) / strata,
               sampler.total_cells() + (limits.total_cells - sampler.total_cells()) / strata});
  }
  return sampler.finish();
}

}  // namespace privpfc
