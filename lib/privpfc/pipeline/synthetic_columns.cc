#include "privpfc/pipeline/synthetic_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "privpfc/pipeline/node_source.h"

namespace privpfc {
namespace {

using Values = SyntheticValues;

// Beside a bin's label, its bounds.
constexpr const char* kLowSuffix = "_lo";
constexpr const char* kHighSuffix = "_hi";

// The nodes of a batch, in memory that is kept.
std::span<const std::uint32_t> nodes_of(const NodeSource& source,
                                        std::span<const std::uint32_t> entries,
                                        std::uint64_t first_row, Values& values) {
  values.nodes.resize(entries.size());
  source.fill(entries, first_row, values.nodes);
  return values.nodes;
}

class LabelColumn final : public SyntheticColumn {
 public:
  explicit LabelColumn(const Schema& schema)
      : name_(label_name(schema)), classes_(schema.label.classes) {}
  std::vector<OutputColumn> describe() const override {
    return {{name_, OutputColumn::Kind::kCategory, false, classes_, false}};
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t, Values& values) const override {
    auto& codes = values.column.bytes;
    codes.resize(entries.size());
    const auto classes = static_cast<std::uint32_t>(classes_.size());
    if (classes == 2) {
      for (std::size_t i = 0; i < entries.size(); ++i) codes[i] = entries[i] & 1;
    } else {
      for (std::size_t i = 0; i < entries.size(); ++i) {
        codes[i] = static_cast<std::uint8_t>(entries[i] % classes);
      }
    }
    values.slices.assign(1, {std::span<const std::uint8_t>(codes), {}});
  }

 private:
  std::string name_;
  std::vector<std::string> classes_;
};

// Whether the value of each row is there, for a column that may hold nulls.
std::span<const std::uint8_t> valid_rows(std::span<const std::uint32_t> nodes,
                                         std::span<const std::uint8_t> valid_nodes,
                                         std::vector<std::uint8_t>& valid) {
  valid.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) valid[i] = valid_nodes[nodes[i]];
  return valid;
}

// Categories, or the labels of bins.
class CategoryColumn final : public SyntheticColumn {
 public:
  CategoryColumn(const Attribute& attribute, LevelIndex level, std::unique_ptr<NodeSource> source)
      : name_(attribute.name),
        ordered_(attribute.kind == AttributeKind::kOrdinal || attribute.bins.has_value()),
        nullable_(attribute.has_missing_leaf),
        source_(std::move(source)) {
    const Hierarchy& hierarchy = attribute.hierarchy;
    const std::uint32_t missing = nullable_
                                      ? hierarchy.node_of(level, attribute.missing_leaf).value()
                                      : std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t node = 0; node < hierarchy.node_count(level); ++node) {
      valid_nodes_.push_back(node == missing ? 0 : 1);
      code_of_node_.push_back(node == missing ? std::uint16_t{0}
                                              : static_cast<std::uint16_t>(categories_.size()));
      if (node != missing) categories_.push_back(hierarchy.label(level, NodeIndex(node)));
    }
  }
  std::vector<OutputColumn> describe() const override {
    return {{name_, OutputColumn::Kind::kCategory, nullable_, categories_, ordered_}};
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            Values& values) const override {
    const auto nodes = nodes_of(*source_, entries, first_row, values);
    auto& [integers, days, bytes, codes, valid] = values.column;
    codes.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) codes[i] = code_of_node_[nodes[i]];
    std::span<const std::uint8_t> view;
    if (nullable_) view = valid_rows(nodes, valid_nodes_, valid);
    values.slices.assign(1, {std::span<const std::uint16_t>(codes), view});
  }

 private:
  std::string name_;
  bool ordered_;
  bool nullable_;
  std::unique_ptr<NodeSource> source_;
  std::vector<std::string> categories_;
  std::vector<std::uint16_t> code_of_node_;
  std::vector<std::uint8_t> valid_nodes_;
};

class BooleanColumn final : public SyntheticColumn {
 public:
  BooleanColumn(const Attribute& attribute, std::unique_ptr<NodeSource> source)
      : name_(attribute.name), nullable_(attribute.has_missing_leaf), source_(std::move(source)) {}
  std::vector<OutputColumn> describe() const override {
    return {{name_, OutputColumn::Kind::kBoolean, nullable_, {}, false}};
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            Values& values) const override {
    const auto nodes = nodes_of(*source_, entries, first_row, values);
    auto& [integers, days, bytes, codes, valid] = values.column;
    bytes.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) bytes[i] = nodes[i] == 1 ? 1 : 0;
    valid.resize(nullable_ ? nodes.size() : 0);
    for (std::size_t i = 0; i < valid.size(); ++i) valid[i] = nodes[i] < 2 ? 1 : 0;
    values.slices.assign(
        1, {std::span<const std::uint8_t>(bytes), std::span<const std::uint8_t>(valid)});
  }

 private:
  std::string name_;
  bool nullable_;
  std::unique_ptr<NodeSource> source_;
};

// The intervals of an attribute's nodes; a node that is no run of bins (missing, other) has none,
// and its rows hold nulls.
struct NodeIntervals {
  NodeIntervals(const Attribute& attribute, LevelIndex level) {
    const Hierarchy& hierarchy = attribute.hierarchy;
    std::vector<std::size_t> begin(hierarchy.node_count(level), 0);
    std::vector<std::size_t> end(hierarchy.node_count(level), 0);
    const auto nodes = hierarchy.nodes_of_leaves(level);
    for (std::size_t leaf = 0; leaf < nodes.size(); ++leaf) {
      if (end[nodes[leaf]] == 0) begin[nodes[leaf]] = leaf;
      end[nodes[leaf]] = leaf + 1;
    }
    for (std::size_t node = 0; node < begin.size(); ++node) {
      const bool is_binned = begin[node] < attribute.bins->count();
      valid.push_back(is_binned ? 1 : 0);
      intervals.push_back(
          is_binned ? bin_interval(*attribute.bins, begin[node], end[node], attribute.kind)
                    : Interval{});
      nullable = nullable || !is_binned;
    }
  }

  std::size_t size() const { return intervals.size(); }

  std::vector<Interval> intervals;
  std::vector<std::uint8_t> valid;
  bool nullable = false;
};

OutputColumn::Kind number_kind(AttributeKind kind) {
  return kind == AttributeKind::kInteger ? OutputColumn::Kind::kInteger
         : kind == AttributeKind::kDate  ? OutputColumn::Kind::kDate
                                         : OutputColumn::Kind::kReal;
}

constexpr std::uint64_t kMostNumbers = 1 << 16;  // that codes of two bytes can stand for

// The numbers that a drawn column can hold, and which of them belong to each node: `count` of them
// from `first` on, in the list if there is one, otherwise as whole numbers.
struct DrawnNumbers {
  struct Range {
    double first = 0;
    std::uint64_t count = 1;
  };
  std::vector<Range> ranges;    // by node
  std::vector<double> numbers;  // empty: too many to be listed

  static DrawnNumbers whole(const NodeIntervals& nodes) {
    DrawnNumbers drawn;
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const Interval& interval = nodes.intervals[node];
      drawn.ranges.push_back(
          {interval.low, static_cast<std::uint64_t>(interval.high - interval.low) + 1});
      if (nodes.valid[node] == 0) continue;
      least = std::min(least, interval.low);
      most = std::max(most, interval.high);
    }
    if (!(most - least < static_cast<double>(kMostNumbers))) return drawn;
    for (double number = least; number <= most; ++number) drawn.numbers.push_back(number);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      Range& range = drawn.ranges[node];
      range = nodes.valid[node] != 0 ? Range{range.first - least, range.count} : Range{};
    }
    return drawn;
  }

  // Up to 1,024 numbers spread evenly inside each bin. What lies between them would be made up all
  // the same, and make the file several times as large.
  static DrawnNumbers real(const NodeIntervals& nodes) {
    DrawnNumbers drawn;
    const std::uint64_t places = std::clamp<std::uint64_t>(kMostNumbers / nodes.size(), 1, 1024);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      if (nodes.valid[node] == 0) {
        drawn.ranges.emplace_back();
        continue;
      }
      drawn.ranges.push_back({static_cast<double>(drawn.numbers.size()), places});
      const auto& [low, high, holds_low, holds_high] = nodes.intervals[node];
      for (std::uint64_t place = 0; place < places; ++place) {
        const double share = (static_cast<double>(place) + 0.5) / static_cast<double>(places);
        double value = low + (high - low) * share;
        // Where the bin is so narrow that its numbers run out, rounding may reach an open end.
        if (value <= low && !holds_low) value = high;
        if (value >= high && !holds_high) value = low;
        drawn.numbers.push_back(value);
      }
    }
    return drawn;
  }
};

class DrawnNumberColumn final : public SyntheticColumn {
 public:
  DrawnNumberColumn(const Attribute& attribute, LevelIndex level,
                    std::unique_ptr<NodeSource> source, ReplayRandom random)
      : name_(attribute.name),
        kind_(number_kind(attribute.kind)),
        source_(std::move(source)),
        random_(random),
        nodes_(attribute, level),
        drawn_(is_whole(attribute.kind) ? DrawnNumbers::whole(nodes_)
                                        : DrawnNumbers::real(nodes_)) {}

  std::vector<OutputColumn> describe() const override {
    return {{name_, kind_, nodes_.nullable, {}, false, drawn_.numbers}};
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            Values& values) const override {
    const auto nodes = nodes_of(*source_, entries, first_row, values);
    auto& [integers, days, bytes, codes, valid] = values.column;
    std::span<const std::uint8_t> view;
    if (nodes_.nullable) view = valid_rows(nodes, nodes_.valid, valid);
    const ReplayRandom random = random_;
    const auto draw = [&](auto& numbers) {
      using Number = typename std::remove_reference_t<decltype(numbers)>::value_type;
      numbers.resize(nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto& [first, count] = drawn_.ranges[nodes[i]];
        numbers[i] =
            static_cast<Number>(static_cast<std::int64_t>(first) +
                                static_cast<std::int64_t>(random.below(count, first_row + i)));
      }
      values.slices.assign(1, {std::span<const Number>(numbers), view});
    };
    if (!drawn_.numbers.empty()) {
      draw(codes);
    } else if (kind_ == OutputColumn::Kind::kInteger) {
      draw(integers);
    } else {
      draw(days);
    }
  }

 private:
  std::string name_;
  OutputColumn::Kind kind_;
  std::unique_ptr<NodeSource> source_;
  ReplayRandom random_;
  NodeIntervals nodes_;
  DrawnNumbers drawn_;
};

// The bounds of a bin, beside its label.
class BoundsColumns final : public SyntheticColumn {
 public:
  BoundsColumns(const Attribute& attribute, LevelIndex level, std::unique_ptr<NodeSource> source)
      : name_(attribute.name),
        kind_(number_kind(attribute.kind)),
        source_(std::move(source)),
        nodes_(attribute, level) {}
  std::vector<OutputColumn> describe() const override {
    OutputColumn low{name_ + kLowSuffix, kind_, nodes_.nullable, {}, false, {}};
    OutputColumn high{name_ + kHighSuffix, kind_, nodes_.nullable, {}, false, {}};
    for (const Interval& interval : nodes_.intervals) {
      low.numbers.push_back(interval.low);
      high.numbers.push_back(interval.high);
    }
    return {std::move(low), std::move(high)};
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            Values& values) const override {
    const auto nodes = nodes_of(*source_, entries, first_row, values);
    auto& [integers, days, bytes, codes, valid] = values.column;
    codes.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) codes[i] = static_cast<std::uint16_t>(nodes[i]);
    std::span<const std::uint8_t> view;
    if (nodes_.nullable) view = valid_rows(nodes, nodes_.valid, valid);
    values.slices.assign(2, {std::span<const std::uint16_t>(codes), view});
  }

 private:
  std::string name_;
  OutputColumn::Kind kind_;
  std::unique_ptr<NodeSource> source_;
  NodeIntervals nodes_;
};

}  // namespace

std::vector<std::unique_ptr<SyntheticColumn>> synthetic_columns(const Schema& schema,
                                                                const Synopsis& synopsis,
                                                                NumericStyle style,
                                                                ReplayRandom random) {
  std::vector<std::unique_ptr<SyntheticColumn>> columns;
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    const AttributeIndex index(i);
    const Attribute& attribute = schema[index];
    const auto level = synthetic_level(schema, synopsis, index);
    if (!level) continue;
    // Stream 0 is the order of the rows; each attribute has one for its node, one for its value.
    const auto source = [&] {
      return node_source(schema, synopsis, index, random.stream(2 * i + 1));
    };
    if (attribute.bins && style == NumericStyle::kDrawn) {
      columns.push_back(std::make_unique<DrawnNumberColumn>(attribute, *level, source(),
                                                            random.stream(2 * i + 2)));
    } else if (attribute.kind == AttributeKind::kBoolean && !attribute.has_other_leaf) {
      columns.push_back(std::make_unique<BooleanColumn>(attribute, source()));
    } else {
      columns.push_back(std::make_unique<CategoryColumn>(attribute, *level, source()));
      if (attribute.bins) {
        columns.push_back(std::make_unique<BoundsColumns>(attribute, *level, source()));
      }
    }
  }
  columns.push_back(std::make_unique<LabelColumn>(schema));
  return columns;
}

std::string label_name(const Schema& schema) {
  const auto* name = std::get_if<std::string>(&schema.label.column);
  if (name != nullptr) return *name;
  const auto is_taken = [&](const std::string& wanted) {
    return std::any_of(schema.attributes.begin(), schema.attributes.end(),
                       [&](const Attribute& one) { return one.name == wanted; });
  };
  for (const char* free : {"class", "label"}) {
    if (!is_taken(free)) return free;
  }
  std::size_t number = 2;
  while (is_taken(fmt::format("label_{}", number))) ++number;
  return fmt::format("label_{}", number);
}

std::vector<std::string> synthetic_names(const Attribute& attribute, NumericStyle style) {
  if (!attribute.bins || style == NumericStyle::kDrawn) return {attribute.name};
  return {attribute.name, attribute.name + kLowSuffix, attribute.name + kHighSuffix};
}

}  // namespace privpfc
