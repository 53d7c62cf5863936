#include "privpfc/pipeline/synthesis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "privpfc/base/contract.h"
#include "privpfc/pipeline/replay_random.h"
#include "privpfc/pipeline/synthetic_counts.h"
#include "privpfc/schema/interval.h"

namespace privpfc {
namespace {

constexpr std::uint64_t kOrderStream = 0;
constexpr std::size_t kBatchRows = 1 << 16;

// The leaves that one node of a level stands for.
struct LeafRun {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<LeafRun> leaf_runs(const Hierarchy& hierarchy, LevelIndex level) {
  std::vector<LeafRun> runs(hierarchy.node_count(level));
  const auto nodes = hierarchy.nodes_of_leaves(level);
  for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf) {
    LeafRun& run = runs[nodes[leaf]];
    if (run.end == 0) run.begin = leaf;
    run.end = leaf + 1;
  }
  return runs;
}

}  // namespace

// Knows the node of each row's value, and how to write values of its attribute.
class SyntheticTable::Column {
 public:
  virtual ~Column() = default;
  virtual void describe(std::vector<OutputColumn>& columns) const = 0;
  // Appends the slices for the rows with these entries; `first_row` is the first one's number.
  virtual void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
                    std::vector<OutputSlice>& slices) = 0;
};

namespace {

// Where a row's node comes from: its cell, or a draw given its class.
class NodeSource {
 public:
  virtual ~NodeSource() = default;
  virtual std::uint32_t node(std::uint32_t entry, std::uint64_t row) const = 0;
};

class GridNodes final : public NodeSource {
 public:
  // `stride`: how many cells lie between two neighbouring nodes of this axis.
  GridNodes(std::size_t classes, std::size_t stride, std::size_t nodes)
      : divisor_(static_cast<std::uint32_t>(classes * stride)),
        nodes_(static_cast<std::uint32_t>(nodes)) {}
  std::uint32_t node(std::uint32_t entry, std::uint64_t) const override {
    return entry / divisor_ % nodes_;
  }

 private:
  std::uint32_t divisor_;
  std::uint32_t nodes_;
};

class DrawnNodes final : public NodeSource {
 public:
  DrawnNodes(const Synopsis& synopsis, const Synopsis::SideColumn& column, ReplayRandom random,
             std::uint64_t stream)
      : classes_(synopsis.class_counts.size()), random_(random), stream_(stream) {
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
  std::uint32_t node(std::uint32_t entry, std::uint64_t row) const override {
    const auto& sums = cumulative_[entry % classes_];
    const std::uint64_t drawn = random_.below(sums.back(), stream_, row);
    return static_cast<std::uint32_t>(std::upper_bound(sums.begin(), sums.end(), drawn) -
                                      sums.begin());
  }

 private:
  std::size_t classes_;
  ReplayRandom random_;
  std::uint64_t stream_;
  std::vector<std::vector<std::uint64_t>> cumulative_;  // by class, over leaves
};

class LabelColumn final : public SyntheticTable::Column {
 public:
  explicit LabelColumn(const Schema& schema)
      : name_(label_name(schema)), classes_(schema.label.classes) {}
  void describe(std::vector<OutputColumn>& columns) const override {
    columns.push_back({name_, OutputColumn::Kind::kCategory, false, classes_, false});
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t,
            std::vector<OutputSlice>& slices) override {
    codes_.clear();
    for (const std::uint32_t entry : entries) {
      codes_.push_back(static_cast<std::uint8_t>(entry % classes_.size()));
    }
    slices.push_back({std::span<const std::uint8_t>(codes_), {}});
  }

 private:
  std::string name_;
  std::vector<std::string> classes_;
  std::vector<std::uint8_t> codes_;
};

// Validity of a column that may hold nulls.
class Validity {
 public:
  explicit Validity(bool nullable) : nullable_(nullable) {}
  bool nullable() const { return nullable_; }
  void clear() { valid_.clear(); }
  void add(bool valid) {
    if (nullable_) valid_.push_back(valid ? 1 : 0);
  }
  std::span<const std::uint8_t> view() const { return valid_; }

 private:
  bool nullable_;
  std::vector<std::uint8_t> valid_;
};

// Categories, or the labels of bins.
class CategoryColumn final : public SyntheticTable::Column {
 public:
  CategoryColumn(const Attribute& attribute, LevelIndex level, std::unique_ptr<NodeSource> source)
      : name_(attribute.name),
        ordered_(attribute.kind == AttributeKind::kOrdinal || attribute.bins.has_value()),
        source_(std::move(source)),
        validity_(attribute.has_missing_leaf) {
    const Hierarchy& hierarchy = attribute.hierarchy;
    const std::uint32_t missing = attribute.has_missing_leaf
                                      ? hierarchy.node_of(level, attribute.missing_leaf).value()
                                      : std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t node = 0; node < hierarchy.node_count(level); ++node) {
      code_of_node_.push_back(node == missing ? kNull
                                              : static_cast<std::uint32_t>(categories_.size()));
      if (node != missing) categories_.push_back(hierarchy.label(level, NodeIndex(node)));
    }
  }
  void describe(std::vector<OutputColumn>& columns) const override {
    columns.push_back(
        {name_, OutputColumn::Kind::kCategory, validity_.nullable(), categories_, ordered_});
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            std::vector<OutputSlice>& slices) override {
    codes_.clear();
    validity_.clear();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::uint32_t code = code_of_node_[source_->node(entries[i], first_row + i)];
      codes_.push_back(code == kNull ? std::uint16_t{0} : static_cast<std::uint16_t>(code));
      validity_.add(code != kNull);
    }
    slices.push_back({std::span<const std::uint16_t>(codes_), validity_.view()});
  }

 private:
  static constexpr std::uint32_t kNull = std::numeric_limits<std::uint32_t>::max();

  std::string name_;
  bool ordered_;
  std::unique_ptr<NodeSource> source_;
  std::vector<std::string> categories_;
  std::vector<std::uint32_t> code_of_node_;
  std::vector<std::uint16_t> codes_;
  Validity validity_;
};

class BooleanColumn final : public SyntheticTable::Column {
 public:
  BooleanColumn(const Attribute& attribute, std::unique_ptr<NodeSource> source)
      : name_(attribute.name), source_(std::move(source)), validity_(attribute.has_missing_leaf) {}
  void describe(std::vector<OutputColumn>& columns) const override {
    columns.push_back({name_, OutputColumn::Kind::kBoolean, validity_.nullable(), {}, false});
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            std::vector<OutputSlice>& slices) override {
    values_.clear();
    validity_.clear();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::uint32_t node = source_->node(entries[i], first_row + i);
      values_.push_back(node == 1 ? 1 : 0);
      validity_.add(node < 2);
    }
    slices.push_back({std::span<const std::uint8_t>(values_), validity_.view()});
  }

 private:
  std::string name_;
  std::unique_ptr<NodeSource> source_;
  std::vector<std::uint8_t> values_;
  Validity validity_;
};

// The values of a numeric column as the writer wants them, whichever type that is.
class NumberBuffer {
 public:
  NumberBuffer(std::string name, AttributeKind kind, bool nullable)
      : name_(std::move(name)), kind_(kind), validity_(nullable) {}

  OutputColumn description() const {
    const OutputColumn::Kind type = kind_ == AttributeKind::kInteger ? OutputColumn::Kind::kInteger
                                    : kind_ == AttributeKind::kDate  ? OutputColumn::Kind::kDate
                                                                     : OutputColumn::Kind::kReal;
    return {name_, type, validity_.nullable(), {}, false};
  }
  void clear() {
    integers_.clear();
    days_.clear();
    reals_.clear();
    validity_.clear();
  }
  void add(double value, bool valid) {
    switch (kind_) {
      case AttributeKind::kInteger:
        integers_.push_back(static_cast<std::int64_t>(value));
        break;
      case AttributeKind::kDate:
        days_.push_back(static_cast<std::int32_t>(value));
        break;
      default:
        reals_.push_back(value);
    }
    validity_.add(valid);
  }
  OutputSlice slice() const {
    switch (kind_) {
      case AttributeKind::kInteger:
        return {std::span<const std::int64_t>(integers_), validity_.view()};
      case AttributeKind::kDate:
        return {std::span<const std::int32_t>(days_), validity_.view()};
      default:
        return {std::span<const double>(reals_), validity_.view()};
    }
  }

 private:
  std::string name_;
  AttributeKind kind_;
  std::vector<std::int64_t> integers_;
  std::vector<std::int32_t> days_;
  std::vector<double> reals_;
  Validity validity_;
};

// The interval of each node; a node that is no run of bins (missing, other) has none.
std::vector<std::optional<Interval>> node_intervals(const Attribute& attribute, LevelIndex level) {
  std::vector<std::optional<Interval>> intervals;
  for (const LeafRun& run : leaf_runs(attribute.hierarchy, level)) {
    if (run.begin < attribute.bins->count()) {
      intervals.emplace_back(bin_interval(*attribute.bins, run.begin, run.end, attribute.kind));
    } else {
      intervals.emplace_back();
    }
  }
  return intervals;
}

bool has_unbinned(const std::vector<std::optional<Interval>>& intervals) {
  return std::any_of(intervals.begin(), intervals.end(), [](const auto& one) { return !one; });
}

class DrawnNumberColumn final : public SyntheticTable::Column {
 public:
  DrawnNumberColumn(const Attribute& attribute, LevelIndex level,
                    std::unique_ptr<NodeSource> source, ReplayRandom random, std::uint64_t stream)
      : whole_(is_whole(attribute.kind)),
        source_(std::move(source)),
        random_(random),
        stream_(stream),
        intervals_(node_intervals(attribute, level)),
        values_(attribute.name, attribute.kind, has_unbinned(intervals_)) {}

  void describe(std::vector<OutputColumn>& columns) const override {
    columns.push_back(values_.description());
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            std::vector<OutputSlice>& slices) override {
    values_.clear();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& interval = intervals_[source_->node(entries[i], first_row + i)];
      values_.add(interval ? draw(*interval, first_row + i) : 0, interval.has_value());
    }
    slices.push_back(values_.slice());
  }

 private:
  double draw(const Interval& interval, std::uint64_t row) const {
    if (whole_) {
      const auto count = static_cast<std::uint64_t>(interval.high - interval.low) + 1;
      return interval.low + static_cast<double>(random_.below(count, stream_, row));
    }
    const double width = interval.high - interval.low;
    const double unit = random_.unit(stream_, row);
    // From the end that belongs to the bin; rounding must not reach the one that does not.
    if (interval.holds_low) {
      const double value = interval.low + width * unit;
      return interval.holds_high ? std::min(value, interval.high)
                                 : std::min(value, std::nextafter(interval.high, interval.low));
    }
    return std::max(interval.high - width * unit, std::nextafter(interval.low, interval.high));
  }

  bool whole_;
  std::unique_ptr<NodeSource> source_;
  ReplayRandom random_;
  std::uint64_t stream_;
  std::vector<std::optional<Interval>> intervals_;
  NumberBuffer values_;
};

// The bounds of a bin, beside its label.
class BoundsColumns final : public SyntheticTable::Column {
 public:
  BoundsColumns(const Attribute& attribute, LevelIndex level, std::unique_ptr<NodeSource> source)
      : source_(std::move(source)),
        intervals_(node_intervals(attribute, level)),
        low_(attribute.name + "_lo", attribute.kind, has_unbinned(intervals_)),
        high_(attribute.name + "_hi", attribute.kind, has_unbinned(intervals_)) {}
  void describe(std::vector<OutputColumn>& columns) const override {
    columns.push_back(low_.description());
    columns.push_back(high_.description());
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            std::vector<OutputSlice>& slices) override {
    low_.clear();
    high_.clear();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& interval = intervals_[source_->node(entries[i], first_row + i)];
      low_.add(interval ? interval->low : 0, interval.has_value());
      high_.add(interval ? interval->high : 0, interval.has_value());
    }
    slices.push_back(low_.slice());
    slices.push_back(high_.slice());
  }

 private:
  std::unique_ptr<NodeSource> source_;
  std::vector<std::optional<Interval>> intervals_;
  NumberBuffer low_;
  NumberBuffer high_;
};

std::vector<std::uint32_t> shuffled_entries(const Synopsis& synopsis, ReplayRandom random) {
  const std::vector<std::uint64_t> counts = synthetic_counts(synopsis);
  std::vector<std::uint32_t> entries;
  entries.reserve(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  for (std::size_t entry = 0; entry < counts.size(); ++entry) {
    entries.insert(entries.end(), counts[entry], static_cast<std::uint32_t>(entry));
  }
  for (std::size_t i = entries.size(); i > 1; --i) {
    std::swap(entries[i - 1], entries[random.below(i, kOrderStream, i)]);
  }
  return entries;
}

// Where one attribute's nodes come from. Called anew for each column that needs them.
class Sources {
 public:
  Sources(const Schema& schema, const Synopsis& synopsis, ReplayRandom random)
      : schema_(schema), synopsis_(synopsis), random_(random) {}

  // The attribute's level in the table, if it is there at all.
  std::optional<LevelIndex> level(AttributeIndex attribute) const {
    for (const Synopsis::Axis& axis : synopsis_.axes) {
      if (axis.attribute == attribute) return axis.level;
    }
    for (const Synopsis::SideColumn& side : synopsis_.side_columns) {
      if (side.attribute == attribute) return schema_[attribute].hierarchy.finest_level();
    }
    return std::nullopt;
  }

  std::unique_ptr<NodeSource> source(AttributeIndex attribute) const {
    std::size_t stride = 1;
    for (std::size_t i = synopsis_.axes.size(); i-- > 0;) {
      const Synopsis::Axis& axis = synopsis_.axes[i];
      const std::size_t nodes = schema_[axis.attribute].hierarchy.node_count(axis.level);
      if (axis.attribute == attribute) {
        return std::make_unique<GridNodes>(schema_.class_count(), stride, nodes);
      }
      stride *= nodes;
    }
    for (const Synopsis::SideColumn& side : synopsis_.side_columns) {
      if (side.attribute == attribute) {
        return std::make_unique<DrawnNodes>(synopsis_, side, random_,
                                            2 * std::uint64_t{attribute.value()} + 1);
      }
    }
    require(false, "an attribute that is not in the table");
    return nullptr;
  }

 private:
  const Schema& schema_;
  const Synopsis& synopsis_;
  ReplayRandom random_;
};

}  // namespace

std::string label_name(const Schema& schema) {
  const auto* name = std::get_if<std::string>(&schema.label.column);
  if (name != nullptr) return *name;
  const bool taken = std::any_of(schema.attributes.begin(), schema.attributes.end(),
                                 [](const Attribute& one) { return one.name == "class"; });
  return taken ? "label" : "class";
}

SyntheticTable::SyntheticTable(const Schema& schema, const Synopsis& synopsis, NumericStyle style,
                               std::uint64_t seed) {
  const ReplayRandom random(seed);
  entries_ = shuffled_entries(synopsis, random);
  const Sources sources(schema, synopsis, random);
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    const AttributeIndex index(i);
    const Attribute& attribute = schema[index];
    const auto level = sources.level(index);
    if (!level) continue;
    if (attribute.bins && style == NumericStyle::kDrawn) {
      makers_.push_back(std::make_unique<DrawnNumberColumn>(
          attribute, *level, sources.source(index), random, 2 * std::uint64_t{i} + 2));
    } else if (attribute.kind == AttributeKind::kBoolean && !attribute.has_other_leaf) {
      makers_.push_back(std::make_unique<BooleanColumn>(attribute, sources.source(index)));
    } else {
      makers_.push_back(std::make_unique<CategoryColumn>(attribute, *level, sources.source(index)));
      if (attribute.bins) {
        makers_.push_back(
            std::make_unique<BoundsColumns>(attribute, *level, sources.source(index)));
      }
    }
  }
  makers_.push_back(std::make_unique<LabelColumn>(schema));
  for (const auto& maker : makers_) maker->describe(columns_);
}

SyntheticTable::~SyntheticTable() = default;
SyntheticTable::SyntheticTable(SyntheticTable&&) noexcept = default;
SyntheticTable& SyntheticTable::operator=(SyntheticTable&&) noexcept = default;

Status SyntheticTable::write(TableWriter& writer) const {
  std::vector<OutputSlice> slices;
  for (std::size_t first = 0; first < entries_.size(); first += kBatchRows) {
    const auto entries =
        std::span(entries_).subspan(first, std::min(kBatchRows, entries_.size() - first));
    slices.clear();
    for (const auto& maker : makers_) maker->make(entries, first, slices);
    PRIVPFC_TRY(writer.write(slices));
  }
  return {};
}

}  // namespace privpfc
