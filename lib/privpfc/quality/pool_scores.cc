#include "privpfc/quality/pool_scores.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <thread>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

using Block = GridPool::Block;
using Blocks = std::span<const Block>;

// Wider registers where the processor has them; decided once, when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PRIVPFC_WIDE __attribute__((target_clones("default", "avx2")))
#else
#define PRIVPFC_WIDE
#endif

// Adds up the scores of all cells. Two classes, the common case, need no search for the largest.
PRIVPFC_WIDE std::int64_t score_two_classes(const std::uint32_t* counts, std::size_t cells,
                                            const std::int64_t* excess, std::size_t excess_size) {
  std::int64_t minority = 0;
  std::int64_t noise = 0;
  const auto last = static_cast<std::uint32_t>(excess_size - 1);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::uint32_t a = counts[2 * cell];
    const std::uint32_t b = counts[2 * cell + 1];
    const std::uint32_t smaller = std::min(a, b);
    const std::uint32_t margin = std::max(a, b) - smaller;
    minority += smaller;
    noise += excess[std::min(margin, last)];
  }
  return minority * MisclassificationTable::kOneRow + noise;
}

std::int64_t score_classes(const std::uint32_t* counts, std::size_t cells, std::size_t classes,
                           const std::int64_t* excess, std::size_t excess_size) {
  std::int64_t outside = 0;
  std::int64_t noise = 0;
  const std::size_t last = excess_size - 1;
  for (std::size_t cell = 0; cell < cells; ++cell, counts += classes) {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::int64_t total = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const std::uint32_t count = counts[c];
      total += count;
      second = std::max(second, std::min(first, count));
      first = std::max(first, count);
    }
    outside += total - first;
    noise += excess[std::min<std::size_t>(first - second, last)];
  }
  return outside * MisclassificationTable::kOneRow + noise;
}

PRIVPFC_WIDE void add_slab(const std::uint32_t* from, std::uint32_t* to, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
}

// The node of one axis for every point, at the level that `map` leads to.
void unpack(const std::uint64_t* keys, std::size_t words, GridSpace::Field field,
            const std::uint16_t* map, std::uint16_t* __restrict nodes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    nodes[i] = map[(keys[i * words] >> field.shift) & field.mask];
  }
}

// The cell of every point, with one more axis.
PRIVPFC_WIDE void refine_cells(const std::uint32_t* before, std::uint32_t radix,
                               const std::uint16_t* nodes, std::uint32_t* __restrict after,
                               std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) after[i] = before[i] * radix + nodes[i];
}

// Scores blocks of grids. One per thread: it owns all the memory that the work needs, and gets none
// while it goes from grid to grid.
class BlockScorer {
 public:
  BlockScorer(const GridSpace& space, std::uint64_t most_cells, const MisclassificationTable& table,
              std::vector<std::int64_t>& scores)
      : space_(space), most_cells_(most_cells), scores_(scores), excess_(table.size() + 1) {
    // One zero behind the table's end stands for every larger margin.
    std::copy_n(table.data(), table.size(), excess_.begin());
  }

  // Scores blocks that agree on whether they use each of the axes before `axis`. `points` are
  // grouped by the axes that are still in play. Points are put together again each time an axis
  // has gone, so that by the time a block is reached few are left.
  void walk(Blocks blocks, std::size_t axis, const Points& points) {
    if (blocks.empty()) return;
    if (axis == space_.chain()) {
      score_block(blocks.front(), points);
      return;
    }
    // Keeping an axis puts hardly any points together; dropping one does.
    const auto [with_axis, without_axis] = split(blocks, axis);
    walk(with_axis, axis + 1, points);
    walk_without(without_axis, axis + 1, points);
  }

  // Blocks that use `axis` stand before those that do not.
  static std::pair<Blocks, Blocks> split(Blocks blocks, std::size_t axis) {
    const auto uses = [&](const Block& block) {
      return std::binary_search(block.axes.begin(), block.axes.end(),
                                static_cast<std::uint16_t>(axis));
    };
    const auto middle = std::partition_point(blocks.begin(), blocks.end(), uses);
    const auto count = static_cast<std::size_t>(middle - blocks.begin());
    return {blocks.subspan(0, count), blocks.subspan(count)};
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

  void score_block(const Block& block, const Points& points) {
    points_ = &points;
    block_ = &block;
    unpack_nodes();
    next_grid_ = block.first_grid;
    cells_.resize(std::max(cells_.size(), block.axes.size() + 1));
    cells_[0].assign(points.size(), 0);
    extend(0, 1, least_cells(space_, block));
  }

  // Once per block and level, because the grids of a block come back to each level many times.
  void unpack_nodes() {
    nodes_.resize(std::max(nodes_.size(), block_->axes.size() + 1));
    const std::uint64_t least = least_cells(space_, *block_);
    for (std::size_t position = 0; position < block_->axes.size(); ++position) {
      const std::size_t axis = block_->axes[position];
      const std::uint64_t others = least / space_.node_count(axis, 1);
      nodes_[position].resize(std::max(nodes_[position].size(), space_.level_count(axis)));
      for (std::size_t level = 1; level <= points_->levels[axis]; ++level) {
        if (saturating_product(others, space_.node_count(axis, level)) > most_cells_) break;
        unpack_level(axis, level, nodes_[position][level]);
      }
    }
    nodes_[block_->axes.size()].resize(
        std::max<std::size_t>(1, nodes_[block_->axes.size()].size()));
    const std::size_t chain = space_.chain();
    unpack_level(chain, points_->levels[chain], nodes_[block_->axes.size()][0]);
  }

  void unpack_level(std::size_t axis, std::size_t level, std::vector<std::uint16_t>& nodes) const {
    const GridSpace::Field& field = space_.field(axis);
    nodes.resize(points_->size());
    unpack(points_->keys.data() + field.word, points_->words, field,
           space_.coarsening(axis, points_->levels[axis], level).data(), nodes.data(),
           nodes.size());
  }

  // Follows the order of for_each_chain; cells_[position] holds each point's cell so far.
  void extend(std::size_t position, std::uint64_t cells, std::uint64_t least_behind) {
    if (position == block_->axes.size()) {
      score_chain(cells, cells_[position]);
      return;
    }
    const std::size_t axis = block_->axes[position];
    const std::uint64_t behind = least_behind / space_.node_count(axis, 1);
    for (std::size_t level = 1; level <= points_->levels[axis]; ++level) {
      const std::uint64_t radix = space_.node_count(axis, level);
      if (saturating_product(saturating_product(cells, radix), behind) > most_cells_) break;
      cells_[position + 1].resize(points_->size());
      refine_cells(cells_[position].data(), static_cast<std::uint32_t>(radix),
                   nodes_[position][level].data(), cells_[position + 1].data(), points_->size());
      extend(position + 1, cells * radix, behind);
    }
  }

  // The chain is the outermost axis of the histogram: its nodes are whole slabs. One count from the
  // points at the finest level that fits, then every coarser level from the one
  // before it, by adding neighbouring slabs.
  void score_chain(std::uint64_t cells, const std::vector<std::uint32_t>& cell_of_point) {
    const std::size_t chain = space_.chain();
    const std::size_t deepest = deepest_chain_level(space_, cells, most_cells_);
    const std::size_t slab = cells * points_->classes;
    const auto slab_of_node = space_.coarsening(chain, points_->levels[chain], deepest);
    slab_starts_.resize(slab_of_node.size());
    for (std::size_t node = 0; node < slab_of_node.size(); ++node) {
      slab_starts_[node] = slab_of_node[node] * static_cast<std::uint32_t>(cells);
    }
    count_cells(cells * space_.node_count(chain, deepest), cell_of_point);
    scores_[next_grid_ + deepest] = score(cells * space_.node_count(chain, deepest));
    for (std::size_t level = deepest; level-- > 0;) {
      const auto parents = space_.coarsening(chain, level + 1, level);
      for (std::size_t node = 0; node < parents.size(); ++node) {
        const std::uint32_t* from = counts_.data() + node * slab;
        std::uint32_t* to = counts_.data() + parents[node] * slab;
        if (from == to) continue;
        const bool is_first = node == 0 || parents[node] != parents[node - 1];
        if (is_first) {
          std::copy_n(from, slab, to);
        } else {
          add_slab(from, to, slab);
        }
      }
      scores_[next_grid_ + level] = score(cells * space_.node_count(chain, level));
    }
    next_grid_ += deepest + 1;
  }

  void count_cells(std::size_t cells, const std::vector<std::uint32_t>& cell_of_point) {
    start_counting(*points_, cells);
    const std::size_t size = cell_of_point.size();
    const std::uint32_t* cell_of = cell_of_point.data();
    const std::uint32_t* slab_start = slab_starts_.data();
    const std::uint16_t* nodes = nodes_[block_->axes.size()][0].data();
    const std::uint32_t* rows = points_->counts.data();
    std::uint32_t* const counts = counts_.data();
    if (classes_ == 2) {
      // Both counts of a cell in one addition: neither can carry into the other.
      for (std::size_t i = 0; i < size; ++i) {
        std::uint32_t* cell = counts + 2 * std::size_t{slab_start[nodes[i]] + cell_of[i]};
        std::uint64_t sum = 0;
        std::uint64_t more = 0;
        std::memcpy(&sum, cell, sizeof sum);
        std::memcpy(&more, rows + 2 * i, sizeof more);
        sum += more;
        std::memcpy(cell, &sum, sizeof sum);
      }
      return;
    }
    const std::size_t classes = classes_;
    for (std::size_t i = 0; i < size; ++i) {
      std::uint32_t* cell = counts + classes * (slab_start[nodes[i]] + cell_of[i]);
      for (std::size_t c = 0; c < classes; ++c) cell[c] += rows[i * classes + c];
    }
  }

  void start_counting(const Points& points, std::size_t cells) {
    classes_ = points.classes;
    counts_.resize(std::max(counts_.size(), cells * classes_));
    std::fill_n(counts_.begin(), cells * classes_, 0);
  }

  std::int64_t score(std::size_t cells) const {
    return classes_ == 2
               ? score_two_classes(counts_.data(), cells, excess_.data(), excess_.size())
               : score_classes(counts_.data(), cells, classes_, excess_.data(), excess_.size());
  }

  const GridSpace& space_;
  const std::uint64_t most_cells_;
  std::vector<std::int64_t>& scores_;
  std::vector<std::int64_t> excess_;

  Grouper grouper_;
  std::vector<std::unique_ptr<Points>> stack_;
  std::size_t depth_ = 0;

  const Points* points_ = nullptr;
  const Block* block_ = nullptr;
  std::uint64_t next_grid_ = 0;
  std::size_t classes_ = 0;
  // By position in the block, the chain last, and level: the node of each point. Of the chain one
  // level is kept, the finest.
  std::vector<std::vector<std::vector<std::uint16_t>>> nodes_;
  std::vector<std::vector<std::uint32_t>> cells_;  // by position in the block: cell so far
  std::vector<std::uint32_t> slab_starts_;         // by node of the chain's axis
  std::vector<std::uint32_t> counts_;
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
      const auto [with_axis, without_axis] = BlockScorer::split(task.blocks, axis);
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
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  const std::vector<Task> tasks = make_tasks(pool, space, threads == 1 ? 1 : 16 * threads);
  std::atomic<std::size_t> next_task = 0;
  const auto work = [&] {
    BlockScorer scorer(space, pool.most_cells(), table, scores);
    for (std::size_t i = next_task++; i < tasks.size(); i = next_task++) {
      scorer.walk(tasks[i].blocks, tasks[i].axis, points);
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return scores;
}

}  // namespace privpfc
