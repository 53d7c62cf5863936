#include "privpfc/quality/block_scorer.h"

#include <algorithm>
#include <cstring>

#include "privpfc/base/contract.h"
#include "privpfc/base/divisor.h"
#include "privpfc/base/wide.h"

namespace privpfc {
namespace {

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

// The same for packed pairs (packed_pairs.h).
PRIVPFC_WIDE std::int64_t score_packed_pairs(const std::uint32_t* counts, std::size_t cells,
                                             const std::uint32_t* excess, std::size_t excess_size) {
  std::uint32_t minority = 0;  // of fewer than 2^16 rows
  std::uint64_t noise = 0;
  const auto last = static_cast<std::int32_t>(excess_size - 1);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto a = static_cast<std::int32_t>(counts[cell] & 0xffff);
    const auto b = static_cast<std::int32_t>(counts[cell] >> 16);
    const std::int32_t smaller = std::min(a, b);
    const std::int32_t margin = std::max(a, b) - smaller;
    minority += static_cast<std::uint32_t>(smaller);
    noise += excess[std::min(margin, last)];
  }
  return std::int64_t{minority} * MisclassificationTable::kOneRow +
         static_cast<std::int64_t>(noise);
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

// Both counts of a cell in one addition: neither can carry into the other.
void add_two(std::uint32_t* cell, const std::uint32_t* rows) {
  std::uint64_t sum = 0;
  std::uint64_t more = 0;
  std::memcpy(&sum, cell, sizeof sum);
  std::memcpy(&more, rows, sizeof more);
  sum += more;
  std::memcpy(cell, &sum, sizeof sum);
}

PRIVPFC_WIDE void add_slab(const std::uint32_t* from, std::uint32_t* to, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
}

// The node of one axis for every point, at the level that `map` leads to.
void unpack_nodes(const std::uint64_t* keys, std::size_t words, GridSpace::Field field,
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

PRIVPFC_WIDE void refine_in_place(std::uint32_t* cells, std::uint32_t radix,
                                  const std::uint16_t* nodes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) cells[i] = cells[i] * radix + nodes[i];
}

}  // namespace

BlockScorer::BlockScorer(const GridSpace& space, std::uint64_t most_cells,
                         const MisclassificationTable& table, CountForm form,
                         std::vector<std::int64_t>& scores)
    : space_(space),
      most_cells_(most_cells),
      scores_(scores),
      form_(form),
      excess_(table.size() + 1) {
  // One zero behind the table's end stands for every larger margin.
  std::copy_n(table.data(), table.size(), excess_.begin());
  if (form_ == CountForm::kPackedPair) narrow_excess_.assign(excess_.begin(), excess_.end());
}

void BlockScorer::score(const GridPool::Block& block, const Points& points) {
  block_ = &block;
  classes_ = points.classes;
  next_grid_ = block.first_grid;
  while (views_.size() < block.axes.size() + 2) views_.push_back(std::make_unique<View>());
  const std::uint64_t least = least_cells(space_, block);
  find_reach(0, 1, least);
  View& view = *views_[0];
  unpack(view, points);
  extend(merged(view, 0, 0, 1, least), 1, 0, 1, least);
}

// The node of every point, once per block and level, because the grids of a block come back to each
// level many times.
void BlockScorer::unpack(View& view, const Points& points) {
  const auto at_level = [&](std::size_t axis, std::size_t level, Nodes& nodes) {
    require(level <= points.levels[axis], "points are as fine as the grids they are scored for");
    const GridSpace::Field& field = space_.field(axis);
    nodes.resize(points.size());
    unpack_nodes(points.keys.data() + field.word, points.words, field,
                 space_.coarsening(axis, points.levels[axis], level).data(), nodes.data(),
                 nodes.size());
  };
  const auto& axes = block_->axes;
  view.size = points.size();
  view.rows = points.counts.data();
  view.nodes.resize(std::max(view.nodes.size(), axes.size()));
  view.cells.resize(std::max(view.cells.size(), axes.size() + 1));
  for (std::size_t position = 0; position < axes.size(); ++position) {
    auto& by_level = view.nodes[position];
    by_level.resize(std::max(by_level.size(), space_.level_count(axes[position])));
    for (std::size_t level = 1; level <= reach_.levels[position]; ++level) {
      at_level(axes[position], level, by_level[level]);
    }
  }
  view.chain_level = reach_.chain_level;
  at_level(space_.chain(), view.chain_level, view.chain_nodes);
  view.cells[0].assign(view.size, 0);
}

void BlockScorer::find_reach(std::size_t position, std::uint64_t cells,
                             std::uint64_t least_behind) {
  const auto& axes = block_->axes;
  const std::uint64_t least = cells * least_behind;
  reach_.levels.resize(axes.size());
  reach_.chain_level = deepest_chain_level(space_, least, most_cells_);
  reach_.most_points =
      saturating_product(cells, space_.node_count(space_.chain(), reach_.chain_level));
  reach_.uses = 1;
  for (std::size_t behind = position; behind < axes.size(); ++behind) {
    const std::size_t axis = axes[behind];
    const std::uint64_t others = least / space_.node_count(axis, 1);
    std::size_t level = 1;
    while (level < space_.finest_level(axis) &&
           saturating_product(others, space_.node_count(axis, level + 1)) <= most_cells_) {
      ++level;
    }
    reach_.levels[behind] = static_cast<std::uint8_t>(level);
    reach_.most_points = saturating_product(reach_.most_points, space_.node_count(axis, level));
    reach_.uses += level - 1;
  }
}

// The same rows with equal points put together, where it pays off: where there are no more
// combinations than points, of which many then are equal, and each can have a counter.
BlockScorer::View& BlockScorer::merged(View& view, std::size_t depth, std::size_t position,
                                       std::uint64_t cells, std::uint64_t least_behind) {
  find_reach(position, cells, least_behind);
  if (reach_.most_points > view.size || reach_.uses < 3) return view;
  const auto& axes = block_->axes;
  View& result = *views_[depth + 1];
  result.nodes.resize(std::max(result.nodes.size(), axes.size()));
  result.cells.resize(std::max(result.cells.size(), axes.size() + 1));

  // Number the combinations: the cell so far, then each open axis, then the chain.
  Cells& numbers = result.cells[axes.size()];
  numbers.assign(view.cells[position].begin(), view.cells[position].end());
  for (std::size_t behind = position; behind < axes.size(); ++behind) {
    const std::size_t level = reach_.levels[behind];
    refine_in_place(numbers.data(), space_.node_count(axes[behind], level),
                    view.nodes[behind][level].data(), view.size);
  }
  const std::uint32_t chain_radix = space_.node_count(space_.chain(), reach_.chain_level);
  const auto chain_map = space_.coarsening(space_.chain(), view.chain_level, reach_.chain_level);
  clear_counts(reach_.most_points);
  std::uint32_t* const counts = counts_.data();
  const std::uint16_t* const chain_nodes = view.chain_nodes.data();
  if (classes_ == 1) {
    for (std::size_t i = 0; i < view.size; ++i) {
      counts[numbers[i] * chain_radix + chain_map[chain_nodes[i]]] += view.rows[i];
    }
  } else if (classes_ == 2) {
    for (std::size_t i = 0; i < view.size; ++i) {
      const std::uint32_t number = numbers[i] * chain_radix + chain_map[chain_nodes[i]];
      add_two(counts + 2 * std::size_t{number}, view.rows + 2 * i);
    }
  } else {
    for (std::size_t i = 0; i < view.size; ++i) {
      const std::size_t number = numbers[i] * chain_radix + chain_map[chain_nodes[i]];
      add_rows(counts + classes_ * number, view.rows + classes_ * i);
    }
  }

  // Keep those that have rows, and take their numbers apart again.
  numbers.resize(reach_.most_points);
  result.merged_rows.resize(reach_.most_points * classes_);
  result.size = keep_filled(numbers.data(), result.merged_rows.data());
  numbers.resize(result.size);
  result.merged_rows.resize(result.size * classes_);
  result.rows = result.merged_rows.data();
  const auto take_off = [&](std::uint32_t radix, Nodes& nodes) {
    nodes.resize(numbers.size());
    const Divisor divisor(radix);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::uint32_t quotient = divisor.quotient(numbers[i]);
      nodes[i] = static_cast<std::uint16_t>(numbers[i] - quotient * radix);
      numbers[i] = quotient;
    }
  };
  result.chain_level = reach_.chain_level;
  take_off(chain_radix, result.chain_nodes);
  for (std::size_t behind = axes.size(); behind-- > position;) {
    const std::size_t axis = axes[behind];
    const std::size_t finest = reach_.levels[behind];
    auto& by_level = result.nodes[behind];
    by_level.resize(std::max(by_level.size(), space_.level_count(axis)));
    take_off(space_.node_count(axis, finest), by_level[finest]);
    for (std::size_t level = 1; level < finest; ++level) {
      const auto map = space_.coarsening(axis, finest, level);
      by_level[level].resize(result.size);
      for (std::size_t i = 0; i < result.size; ++i) by_level[level][i] = map[by_level[finest][i]];
    }
  }
  result.cells[position].swap(numbers);
  return result;
}

// The numbers and counts of the combinations that have rows, close together; how many they are. An
// empty one is written too, and then written over, which needs no branch.
std::size_t BlockScorer::keep_filled(std::uint32_t* numbers, std::uint32_t* rows) const {
  std::size_t kept = 0;
  if (classes_ == 1) {
    for (std::size_t number = 0; number < reach_.most_points; ++number) {
      rows[kept] = counts_[number];
      numbers[kept] = static_cast<std::uint32_t>(number);
      kept += counts_[number] != 0 ? 1 : 0;
    }
    return kept;
  }
  const std::uint32_t* counts = counts_.data();
  for (std::size_t number = 0; number < reach_.most_points; ++number, counts += classes_) {
    std::uint32_t any = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      any |= counts[c];
      rows[kept * classes_ + c] = counts[c];
    }
    numbers[kept] = static_cast<std::uint32_t>(number);
    kept += any != 0 ? 1 : 0;
  }
  return kept;
}

// Follows the order of for_each_chain.
void BlockScorer::extend(View& view, std::size_t depth, std::size_t position, std::uint64_t cells,
                         std::uint64_t least_behind) {
  if (position == block_->axes.size()) {
    score_chain(view, cells);
    return;
  }
  const std::size_t axis = block_->axes[position];
  const std::uint64_t behind = least_behind / space_.node_count(axis, 1);
  for (std::size_t level = 1; level < space_.level_count(axis); ++level) {
    const std::uint64_t here = cells * space_.node_count(axis, level);
    if (saturating_product(here, behind) > most_cells_) break;
    view.cells[position + 1].resize(view.size);
    refine_cells(view.cells[position].data(), space_.node_count(axis, level),
                 view.nodes[position][level].data(), view.cells[position + 1].data(), view.size);
    extend(merged(view, depth, position + 1, here, behind), depth + 1, position + 1, here, behind);
  }
}

// The chain is the outermost axis of the histogram: its nodes are whole slabs. One count from the
// points at the finest level that fits, then every coarser level from the one before it, by adding
// neighbouring slabs.
void BlockScorer::score_chain(const View& view, std::uint64_t cells) {
  const std::size_t chain = space_.chain();
  const std::size_t deepest = deepest_chain_level(space_, cells, most_cells_);
  const std::size_t slab = cells * classes_;
  const auto slab_of_node = space_.coarsening(chain, view.chain_level, deepest);
  slab_starts_.resize(slab_of_node.size());
  for (std::size_t node = 0; node < slab_of_node.size(); ++node) {
    slab_starts_[node] = slab_of_node[node] * static_cast<std::uint32_t>(cells);
  }
  count_cells(view, cells * space_.node_count(chain, deepest), view.cells[block_->axes.size()]);
  scores_[next_grid_ + deepest] = score_counts(cells * space_.node_count(chain, deepest));
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
    scores_[next_grid_ + level] = score_counts(cells * space_.node_count(chain, level));
  }
  next_grid_ += deepest + 1;
}

void BlockScorer::count_cells(const View& view, std::size_t cells, const Cells& cell_of) {
  clear_counts(cells);
  const std::size_t size = view.size;
  const std::uint32_t* cell = cell_of.data();
  const std::uint32_t* slab_start = slab_starts_.data();
  const std::uint16_t* nodes = view.chain_nodes.data();
  const std::uint32_t* rows = view.rows;
  std::uint32_t* const counts = counts_.data();
  const std::size_t classes = classes_;
  if (classes == 1) {
    for (std::size_t i = 0; i < size; ++i) counts[slab_start[nodes[i]] + cell[i]] += rows[i];
    return;
  }
  if (classes == 2) {
    for (std::size_t i = 0; i < size; ++i) {
      add_two(counts + 2 * std::size_t{slab_start[nodes[i]] + cell[i]}, rows + 2 * i);
    }
    return;
  }
  for (std::size_t i = 0; i < size; ++i) {
    add_rows(counts + classes * (slab_start[nodes[i]] + cell[i]), rows + classes * i);
  }
}

void BlockScorer::add_rows(std::uint32_t* cell, const std::uint32_t* rows) const {
  if (classes_ == 2) {
    add_two(cell, rows);
    return;
  }
  for (std::size_t c = 0; c < classes_; ++c) cell[c] += rows[c];
}

void BlockScorer::clear_counts(std::size_t cells) {
  counts_.resize(std::max(counts_.size(), cells * classes_));
  std::fill_n(counts_.begin(), cells * classes_, 0);
}

std::int64_t BlockScorer::score_counts(std::size_t cells) const {
  if (form_ == CountForm::kPackedPair) {
    return score_packed_pairs(counts_.data(), cells, narrow_excess_.data(), narrow_excess_.size());
  }
  return classes_ == 2
             ? score_two_classes(counts_.data(), cells, excess_.data(), excess_.size())
             : score_classes(counts_.data(), cells, classes_, excess_.data(), excess_.size());
}

}  // namespace privpfc
