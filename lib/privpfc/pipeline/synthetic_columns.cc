#include "privpfc/pipeline/synthetic_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "privpfc/pipeline/node_source.h"

namespace privpfc {
namespace {

using Values = SyntheticValues;

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
    auto& codes = values.columns[0].bytes;
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
      code_of_node_.push_back(
          node == missing ? std::uint16_t{0} : static_cast<std::uint16_t>(categories_.size()));
      if (node != missing) categories_.push_back(hierarchy.label(level, NodeIndex(node)));
    }
  }
  std::vector<OutputColumn> describe() const override {
    return {{name_, OutputColumn::Kind::kCategory, nullable_, categories_, ordered_}};
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            Values& values) const override {
    const auto nodes = nodes_of(*source_, entries, first_row, values);
    auto& [integers, days, reals, bytes, codes, valid] = values.columns[0];
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
    auto& [integers, days, reals, bytes, codes, valid] = values.columns[0];
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
class NodeIntervals {
 public:
  NodeIntervals(const Attribute& attribute, LevelIndex level) : kind_(attribute.kind) {
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
      valid_.push_back(is_binned ? 1 : 0);
      intervals_.push_back(
          is_binned ? bin_interval(*attribute.bins, begin[node], end[node], attribute.kind)
                    : Interval{});
      nullable_ = nullable_ || !is_binned;
    }
  }

  OutputColumn column(std::string name) const {
    const OutputColumn::Kind type = kind_ == AttributeKind::kInteger ? OutputColumn::Kind::kInteger
                                    : kind_ == AttributeKind::kDate  ? OutputColumn::Kind::kDate
                                                                     : OutputColumn::Kind::kReal;
    return {std::move(name), type, nullable_, {}, false};
  }
  OutputColumn drawn_column(std::string name) const {
    OutputColumn drawn = column(std::move(name));
    drawn.distinct = drawn.kind == OutputColumn::Kind::kReal;
    return drawn;
  }

  // Writes value(interval, i) for every row as the type that the column has; 0 where there is none.
  template <typename Value>
  OutputSlice slice(std::span<const std::uint32_t> nodes, Values::Column& column,
                    const Value& value) const {
    std::span<const std::uint8_t> valid;
    if (nullable_) valid = valid_rows(nodes, valid_, column.valid);
    const auto write = [&](auto& numbers) {
      using Number = typename std::remove_reference_t<decltype(numbers)>::value_type;
      numbers.resize(nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        numbers[i] = static_cast<Number>(value(intervals_[nodes[i]], i));
      }
      return std::span<const Number>(numbers);
    };
    if (kind_ == AttributeKind::kInteger) return {write(column.integers), valid};
    if (kind_ == AttributeKind::kDate) return {write(column.days), valid};
    return {write(column.reals), valid};
  }

 private:
  AttributeKind kind_;
  std::vector<Interval> intervals_;
  std::vector<std::uint8_t> valid_;  // by node
  bool nullable_ = false;
};

double drawn_whole(const Interval& interval, ReplayRandom random, std::uint64_t row) {
  const auto count = static_cast<std::uint64_t>(interval.high - interval.low) + 1;
  return interval.low + static_cast<double>(random.below(count, row));
}

double drawn_real(const Interval& interval, ReplayRandom random, std::uint64_t row) {
  const double width = interval.high - interval.low;
  const double unit = random.unit(row);
  // From the end that belongs to the bin; rounding must not reach the one that does not.
  if (interval.holds_low) {
    const double value = interval.low + width * unit;
    if (value < interval.high) return value;
    return interval.holds_high ? interval.high : std::nextafter(interval.high, interval.low);
  }
  const double value = interval.high - width * unit;
  return value > interval.low ? value : std::nextafter(interval.low, interval.high);
}

class DrawnNumberColumn final : public SyntheticColumn {
 public:
  DrawnNumberColumn(const Attribute& attribute, LevelIndex level,
                    std::unique_ptr<NodeSource> source, ReplayRandom random)
      : name_(attribute.name),
        whole_(is_whole(attribute.kind)),
        source_(std::move(source)),
        random_(random),
        intervals_(attribute, level) {}

  std::vector<OutputColumn> describe() const override { return {intervals_.drawn_column(name_)}; }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            Values& values) const override {
    const auto nodes = nodes_of(*source_, entries, first_row, values);
    const ReplayRandom random = random_;
    const auto whole = [&](const Interval& interval, std::size_t i) {
      return drawn_whole(interval, random, first_row + i);
    };
    const auto real = [&](const Interval& interval, std::size_t i) {
      return drawn_real(interval, random, first_row + i);
    };
    auto& column = values.columns[0];
    values.slices.assign(1, whole_ ? intervals_.slice(nodes, column, whole)
                                   : intervals_.slice(nodes, column, real));
  }

 private:
  std::string name_;
  bool whole_;
  std::unique_ptr<NodeSource> source_;
  ReplayRandom random_;
  NodeIntervals intervals_;
};

// The bounds of a bin, beside its label.
class BoundsColumns final : public SyntheticColumn {
 public:
  BoundsColumns(const Attribute& attribute, LevelIndex level, std::unique_ptr<NodeSource> source)
      : name_(attribute.name), source_(std::move(source)), intervals_(attribute, level) {}
  std::vector<OutputColumn> describe() const override {
    return {intervals_.column(name_ + "_lo"), intervals_.column(name_ + "_hi")};
  }
  void make(std::span<const std::uint32_t> entries, std::uint64_t first_row,
            Values& values) const override {
    const auto nodes = nodes_of(*source_, entries, first_row, values);
    const auto low = [](const Interval& interval, std::size_t) { return interval.low; };
    const auto high = [](const Interval& interval, std::size_t) { return interval.high; };
    values.slices.assign(1, intervals_.slice(nodes, values.columns[0], low));
    values.slices.push_back(intervals_.slice(nodes, values.columns[1], high));
  }

 private:
  std::string name_;
  std::unique_ptr<NodeSource> source_;
  NodeIntervals intervals_;
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
  const bool taken = std::any_of(schema.attributes.begin(), schema.attributes.end(),
                                 [](const Attribute& one) { return one.name == "class"; });
  return taken ? "label" : "class";
}

}  // namespace privpfc
