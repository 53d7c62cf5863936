#include "privpfc/quality/pool_scores.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>

#include "privpfc/base/parallel.h"
#include "privpfc/quality/block_scorer.h"

namespace privpfc {
namespace {

using Block = GridPool::Block;
using Blocks = std::span<const Block>;

// Blocks that use `axis` stand before those that do not.
std::pair<Blocks, Blocks> split(Blocks blocks, std::size_t axis) {
  const auto uses = [&](const Block& block) {
    return std::binary_search(block.axes.begin(), block.axes.end(),
                              static_cast<std::uint16_t>(axis));
  };
  const auto middle = std::partition_point(blocks.begin(), blocks.end(), uses);
  const auto count = static_cast<std::size_t>(middle - blocks.begin());
  return {blocks.subspan(0, count), blocks.subspan(count)};
}

// Goes from block to block, dropping axes on the way. One per thread.
class PoolWalk {
 public:
  PoolWalk(const GridSpace& space, std::uint64_t most_cells, const MisclassificationTable& table,
           CountForm form, std::vector<std::int64_t>& scores)
      : space_(space), most_cells_(most_cells), scorer_(space, most_cells, table, form, scores) {}

  // Scores blocks that agree on whether they use each of the axes before `axis`. `points` are
  // grouped by the axes that are still in play. Points are put together again each time an axis
  // has gone, so that by the time a block is reached few are left.
  void walk(Blocks blocks, std::size_t axis, const Points& points) {
    if (blocks.empty()) return;
    if (axis == space_.chain()) {
      scorer_.score(blocks.front(), points);
      return;
    }
    // Keeping an axis puts hardly any points together; dropping one does.
    const auto [with_axis, without_axis] = split(blocks, axis);
    walk(with_axis, axis + 1, points);
    walk_without(without_axis, axis + 1, points);
  }

 private:
  // The finest level at which any of the blocks can use each axis: all of them use the same axes
  // below `decided`, and the coarsest nodes of these already take their share of the cells.
  Grid deepest_levels(Blocks blocks, std::size_t decided, const Grid& levels_now) const {
    const auto& axes = blocks.front().axes;
    std::uint64_t least = 1;
    for (const std::uint16_t axis : axes) {
      if (axis < decided) least *= space_.node_count(axis, 1);
    }
    Grid levels(space_.axis_count(), 0);
    for (std::size_t axis = 0; axis < space_.axis_count(); ++axis) {
      const bool is_decided = axis < decided;
      if (is_decided &&
          !std::binary_search(axes.begin(), axes.end(), static_cast<std::uint16_t>(axis))) {
        continue;
      }
      const std::uint64_t others = is_decided ? least / space_.node_count(axis, 1) : least;
      std::size_t level = levels_now[axis];
      while (level > 0 &&
             saturating_product(others, space_.node_count(axis, level)) > most_cells_) {
        --level;
      }
      levels[axis] = static_cast<std::uint8_t>(level);
    }
    return levels;
  }

  void walk_without(Blocks blocks, std::size_t axis, const Points& points) {
    if (blocks.empty()) return;
    if (depth_ == stack_.size()) stack_.push_back(std::make_unique<Points>());
    Points& coarser = *stack_[depth_++];
    grouper_.coarsen(space_, points, deepest_levels(blocks, axis, points.levels), coarser);
    walk(blocks, axis, coarser);
    --depth_;
  }

  const GridSpace& space_;
  const std::uint64_t most_cells_;
  BlockScorer scorer_;
  Grouper grouper_;
  std::vector<std::unique_ptr<Points>> stack_;
  std::size_t depth_ = 0;
};

// Cuts the pool's tree of decisions into pieces that can be scored apart.
struct Task {
  Blocks blocks;
  std::size_t axis;
};

std::vector<Task> make_tasks(const GridPool& pool, const GridSpace& space, std::size_t wanted) {
  std::vector<Task> tasks{{Blocks(pool.blocks()), 0}};
  for (std::size_t axis = 0; axis < space.chain() && tasks.size() < wanted; ++axis) {
    std::vector<Task> finer;
    for (const Task& task : tasks) {
      const auto [with_axis, without_axis] = split(task.blocks, axis);
      if (!with_axis.empty()) finer.push_back({with_axis, axis + 1});
      if (!without_axis.empty()) finer.push_back({without_axis, axis + 1});
    }
    tasks = std::move(finer);
  }
  return tasks;
}

}  // namespace

std::vector<std::int64_t> score_pool(const GridSpace& space, const GridPool& pool,
                                     const Points& points, const MisclassificationTable& table,
                                     unsigned threads) {
  std::vector<std::int64_t> scores(pool.size());
  threads = static_cast<unsigned>(thread_count(threads));
  const std::vector<Task> tasks = make_tasks(pool, space, threads == 1 ? 1 : 16 * threads);
  const CountForm form = count_form(points, table);
  const Points packed = form == CountForm::kPackedPair ? pack_pairs(points) : Points();
  const Points& counted = form == CountForm::kPackedPair ? packed : points;
  std::atomic<std::size_t> next_task = 0;
  const auto work = [&](std::size_t) {
    PoolWalk walk(space, pool.most_cells(), table, form, scores);
    for (std::size_t i = next_task++; i < tasks.size(); i = next_task++) {
      walk.walk(tasks[i].blocks, tasks[i].axis, counted);
    }
  };
  run_pieces(threads, threads, work);
  return scores;
}

}  // namespace privpfc
