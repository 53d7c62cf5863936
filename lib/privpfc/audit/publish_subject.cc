#include <fmt/format.h>

#include <iterator>

#include "privpfc/audit/audit_budget.h"
#include "privpfc/audit/audit_subject.h"
#include "privpfc/pipeline/synthetic_counts.h"
#include "privpfc/privacy/kernel.h"

namespace privpfc {
namespace {

// Of a larger histogram only the cell of the row that the tables differ by is looked at.
constexpr std::size_t kMostCounts = 128;

class PublishSubject final : public AuditSubject {
 public:
  PublishSubject(Schema schema, NeighbourTables tables, const PublishOptions& options,
                 Epsilon epsilon)
      : schema_(std::move(schema)),
        without_(std::move(tables.without.encoded)),
        with_(std::move(tables.with.encoded)),
        row_(std::move(tables.row)),
        options_(options),
        epsilon_(epsilon) {
    options_.threads = 1;
  }

  Epsilon epsilon() const override { return epsilon_; }

  void run(Side side, BitSource& bits, Observer& observer) const override {
    Kernel kernel(bits);
    // Of this run alone: with none at all, memory would be handed back to the system every time.
    PublishMemory memory;
    const Released<Synopsis> synopsis = publish(
        side == Side::kWith ? with_ : without_, schema_, options_, kernel,
        AuditBudget::of(epsilon_), [](std::string_view) {}, &memory);
    tell(synopsis.value(), observer);
  }

 private:
  template <typename... Args>
  static void add(Observer& observer, double value, bool is_evidence,
                  fmt::format_string<Args...> format, Args&&... args) {
    fmt::memory_buffer name;
    fmt::format_to(std::back_inserter(name), format, std::forward<Args>(args)...);
    observer.add({name.data(), name.size()}, value, is_evidence);
  }

  void tell(const Synopsis& synopsis, Observer& observer) const {
    const std::size_t classes = schema_.class_count();
    const auto& names = schema_.label.classes;
    for (std::size_t c = 0; c < classes; ++c) {
      add(observer, static_cast<double>(synopsis.class_counts[c]), true, "noisy count of class {}",
          names[c]);
    }
    add(observer, static_cast<double>(synopsis.noisy_rows), false, "noisy number of rows");
    add(observer, static_cast<double>(synopsis.cell_threshold), false, "cell threshold");
    add(observer, static_cast<double>(synopsis.pool_size), false, "grids in the pool");
    if (!synopsis.selected_features.empty()) {
      std::string picks;
      for (const AttributeIndex pick : synopsis.selected_features) {
        picks += (picks.empty() ? "" : ", then ") + schema_[pick].name;
      }
      observer.mark("the features selected were " + picks);
    }
    const std::string grid = grid_name(synopsis);
    observer.mark("the grid " + grid + " was chosen");

    const std::vector<std::uint64_t> rows = synthetic_counts(synopsis);
    std::uint64_t all_rows = 0;
    for (const std::uint64_t count : rows) all_rows += count;
    add(observer, static_cast<double>(all_rows), false, "number of synthetic rows");
    const bool is_small = synopsis.cell_counts.size() <= kMostCounts;
    if (is_small) {
      for (std::size_t i = 0; i < synopsis.cell_counts.size(); ++i) {
        const std::size_t cell = i / classes;
        add(observer, static_cast<double>(synopsis.cell_counts[i]), true,
            "noisy count of class {} in cell {} of grid {}", names[i % classes], cell, grid);
        add(observer, static_cast<double>(rows[i]), false,
            "synthetic rows of class {} in cell {} of grid {}", names[i % classes], cell, grid);
      }
    }
    const std::size_t own = own_cell(synopsis) * classes + row_.label;
    add(observer, static_cast<double>(synopsis.cell_counts[own]), !is_small,
        "noisy count in the row's own cell and class");
    add(observer, static_cast<double>(rows[own]), false,
        "synthetic rows in the row's own cell and class");
    for (const Synopsis::SideColumn& column : synopsis.side_columns) {
      const std::string& name = schema_[column.attribute].name;
      if (column.counts.size() <= kMostCounts) {
        for (std::size_t i = 0; i < column.counts.size(); ++i) {
          add(observer, static_cast<double>(column.counts[i]), true,
              "noisy count of class {} at value {} of column {}", names[i % classes], i / classes,
              name);
        }
      } else {
        const std::size_t at = row_.leaves[column.attribute.value()] * classes + row_.label;
        add(observer, static_cast<double>(column.counts[at]), true,
            "noisy count of the row's own value and class in column {}", name);
      }
    }
  }

  std::string grid_name(const Synopsis& synopsis) const {
    std::string name;
    for (const Synopsis::Axis& axis : synopsis.axes) {
      name += fmt::format("{}{}@{}", name.empty() ? "" : " x ", schema_[axis.attribute].name,
                          axis.level.value());
    }
    return name.empty() ? "of one cell" : name;
  }

  // The cell that holds the row, in the grid that was chosen.
  std::size_t own_cell(const Synopsis& synopsis) const {
    std::size_t cell = 0;
    for (const Synopsis::Axis& axis : synopsis.axes) {
      const Hierarchy& hierarchy = schema_[axis.attribute].hierarchy;
      const LeafIndex leaf(std::size_t{row_.leaves[axis.attribute.value()]});
      cell = cell * hierarchy.node_count(axis.level) + hierarchy.node_of(axis.level, leaf).value();
    }
    return cell;
  }

  Schema schema_;
  Private<EncodedTable> without_;
  Private<EncodedTable> with_;
  RowApart row_;
  PublishOptions options_;
  Epsilon epsilon_;
};

}  // namespace

std::unique_ptr<AuditSubject> publish_subject(Schema schema, NeighbourTables tables,
                                              const PublishOptions& options, Epsilon epsilon) {
  return std::make_unique<PublishSubject>(std::move(schema), std::move(tables), options, epsilon);
}

}  // namespace privpfc
