#include "privpfc/pipeline/node_source.h"

#include <algorithm>
#include <numeric>

#include "privpfc/base/contract.h"
#include "privpfc/base/divisor.h"
#include "privpfc/pipeline/synthetic_counts.h"

namespace privpfc {
namespace {

class GridNodes final : public NodeSource {
 public:
  // `stride`: how many cells lie between two neighbouring nodes of this axis.
  GridNodes(std::size_t classes, std::size_t stride, std::size_t nodes)
      : stride_(static_cast<std::uint32_t>(classes * stride)),
        nodes_(static_cast<std::uint32_t>(nodes)) {}
  void fill(std::span<const std::uint32_t> entries, std::uint64_t,
            std::span<std::uint32_t> nodes) const override {
    const Divisor stride = stride_;
    const Divisor count = nodes_;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      nodes[i] = count.remainder(stride.quotient(entries[i]));
    }
  }

 private:
  Divisor stride_;
  Divisor nodes_;
};

class DrawnNodes final : public NodeSource {
 public:
  DrawnNodes(const Synopsis& synopsis, const Synopsis::SideColumn& column, ReplayRandom random)
      : classes_(synopsis.class_counts.size()), random_(random) {
    const std::vector<std::int64_t> totals = synthetic_class_totals(synopsis);
    std::vector<std::int64_t> noisy(column.counts.size() / classes_);
    for (std::size_t c = 0; c < classes_; ++c) {
      for (std::size_t leaf = 0; leaf < noisy.size(); ++leaf) {
        noisy[leaf] = column.counts[leaf * classes_ + c];
      }
      std::vector<std::uint64_t> fitted = fit_counts(noisy, std::max<std::int64_t>(1, totals[c]));
      std::partial_sum(fitted.begin(), fitted.end(), fitted.begin());
      cumulative_.push_back(std::move(fitted));
    }
  }
  void fill(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            std::span<std::uint32_t> nodes) const override {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& sums = cumulative_[entries[i] % classes_];
      const std::uint64_t drawn = random_.below(sums.back(), first_row + i);
      nodes[i] = static_cast<std::uint32_t>(std::upper_bound(sums.begin(), sums.end(), drawn) -
                                            sums.begin());
    }
  }

 private:
  std::size_t classes_;
  ReplayRandom random_;
  std::vector<std::vector<std::uint64_t>> cumulative_;  // by class, over leaves
};

}  // namespace

std::optional<LevelIndex> synthetic_level(const Schema& schema, const Synopsis& synopsis,
                                          AttributeIndex attribute) {
  for (const Synopsis::Axis& axis : synopsis.axes) {
    if (axis.attribute == attribute) return axis.level;
  }
  for (const Synopsis::SideColumn& side : synopsis.side_columns) {
    if (side.attribute == attribute) return schema[attribute].hierarchy.finest_level();
  }
  return std::nullopt;
}

std::unique_ptr<NodeSource> node_source(const Schema& schema, const Synopsis& synopsis,
                                        AttributeIndex attribute, ReplayRandom random) {
  std::size_t stride = 1;
  for (std::size_t i = synopsis.axes.size(); i-- > 0;) {
    const Synopsis::Axis& axis = synopsis.axes[i];
    const std::size_t nodes = schema[axis.attribute].hierarchy.node_count(axis.level);
    if (axis.attribute == attribute) {
      return std::make_unique<GridNodes>(schema.class_count(), stride, nodes);
    }
    stride *= nodes;
  }
  for (const Synopsis::SideColumn& side : synopsis.side_columns) {
    if (side.attribute == attribute) return std::make_unique<DrawnNodes>(synopsis, side, random);
  }
  require(false, "an attribute that is not in the table");
  return nullptr;
}

}  // namespace privpfc
