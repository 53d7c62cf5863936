#include "privpfc/release/cells_file.h"

#include <algorithm>

#include "privpfc/io/table_reader.h"
#include "privpfc/io/table_writer.h"

namespace privpfc {
namespace {

constexpr std::size_t kBatchRows = 1 << 16;

WriterOptions writer_options(const std::string& facts) {
  WriterOptions options;
  options.sync = true;
  options.metadata = {{"privpfc", facts}};
  return options;
}

std::vector<OutputColumn> count_columns(const Schema& schema) {
  std::vector<OutputColumn> columns;
  for (const std::string& name : schema.label.classes) {
    columns.push_back({count_column(name), OutputColumn::Kind::kInteger, false, {}, false});
  }
  return columns;
}

std::vector<std::string> labels_of(const Schema& schema, const Synopsis::Axis& axis) {
  const auto labels = schema[axis.attribute].hierarchy.labels(axis.level);
  return {labels.begin(), labels.end()};
}

// The node of every axis for a cell's number, the first axis varying slowest.
std::vector<std::uint16_t> nodes_of_cell(const std::vector<std::size_t>& sizes, std::size_t cell) {
  std::vector<std::uint16_t> nodes(sizes.size());
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    nodes[axis] = static_cast<std::uint16_t>(cell % sizes[axis]);
    cell /= sizes[axis];
  }
  return nodes;
}

std::vector<std::size_t> axis_sizes(const Schema& schema, const Synopsis& synopsis) {
  std::vector<std::size_t> sizes;
  for (const Synopsis::Axis& axis : synopsis.axes) {
    sizes.push_back(schema[axis.attribute].hierarchy.node_count(axis.level));
  }
  return sizes;
}

Error not_as_expected(const std::filesystem::path& path, std::string_view what) {
  return make_error(ErrorKind::kData, "{}: {}; the file is not the one that was released",
                    path.filename().string(), what);
}

// A whole small table in memory: texts and whole numbers.
struct TextTable {
  std::vector<std::vector<std::string>> texts;      // by text column
  std::vector<std::vector<std::int64_t>> integers;  // by integer column
};

struct AppendText {
  std::vector<std::string>& texts;
  std::size_t rows;
  bool operator()(const std::span<const std::string_view>& values) const {
    for (std::size_t row = 0; row < rows; ++row) texts.emplace_back(values[row]);
    return true;
  }
  bool operator()(const DictionaryView& dictionary) const {
    const auto* values = std::get_if<std::span<const std::string_view>>(&dictionary.values->values);
    if (values == nullptr) return false;
    for (std::size_t row = 0; row < rows; ++row) {
      texts.emplace_back((*values)[static_cast<std::size_t>(dictionary.indices[row])]);
    }
    return true;
  }
  template <typename Other>
  bool operator()(const Other&) const {
    return false;
  }
};

// Reads columns by their names, which must be exactly these and in this order.
Result<TextTable> read_table(const std::filesystem::path& path,
                             const std::vector<std::string>& text_columns,
                             const std::vector<std::string>& integer_columns) {
  PRIVPFC_ASSIGN(TableReader reader, TableReader::open({path}));
  std::vector<std::string> expected = text_columns;
  expected.insert(expected.end(), integer_columns.begin(), integer_columns.end());
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < reader.columns().size(); ++i) {
    if (i >= expected.size() || reader.columns()[i].name != expected[i]) {
      return not_as_expected(path, "the columns differ");
    }
    positions.push_back(i);
  }
  if (positions.size() != expected.size()) return not_as_expected(path, "the columns differ");

  TextTable table{std::vector<std::vector<std::string>>(text_columns.size()),
                  std::vector<std::vector<std::int64_t>>(integer_columns.size())};
  const auto take = [&](const Batch& batch) -> Status {
    for (std::size_t i = 0; i < batch.columns.size(); ++i) {
      const ColumnView& column = batch.columns[i];
      bool fine = !column.validity.has_nulls();
      for (std::size_t row = 0; !fine && row < batch.rows; ++row) {
        if (column.validity.is_null(row)) return not_as_expected(path, "a value is missing");
        fine = row + 1 == batch.rows;
      }
      if (i < text_columns.size()) {
        fine = std::visit(AppendText{table.texts[i], batch.rows}, column.values);
      } else {
        const auto* values = std::get_if<std::span<const std::int64_t>>(&column.values);
        fine = values != nullptr;
        auto& into = table.integers[i - text_columns.size()];
        if (fine) into.insert(into.end(), values->begin(), values->end());
      }
      if (!fine) return not_as_expected(path, "a column has another type");
    }
    return {};
  };
  // One thread, so that the batches come one after the other.
  PRIVPFC_TRY(reader.read(positions, 1, [&](const Batch& batch) -> TableReader::Turn {
    Status taken = take(batch);
    return [taken](const RowPosition&) { return taken; };
  }));
  return table;
}

}  // namespace

std::string count_column(const std::string& class_name) {
  return "count " + class_name;
}

Status write_cells(const std::filesystem::path& path, const Schema& schema,
                   const Synopsis& synopsis, const std::string& facts) {
  std::vector<OutputColumn> columns;
  for (const Synopsis::Axis& axis : synopsis.axes) {
    columns.push_back({schema[axis.attribute].name, OutputColumn::Kind::kCategory, false,
                       labels_of(schema, axis), false});
  }
  const std::vector<OutputColumn> counts = count_columns(schema);
  columns.insert(columns.end(), counts.begin(), counts.end());
  PRIVPFC_ASSIGN(TableWriter writer, TableWriter::create(path, columns, writer_options(facts)));

  const std::vector<std::size_t> sizes = axis_sizes(schema, synopsis);
  const std::size_t classes = schema.class_count();
  for (std::size_t first = 0; first < synopsis.cell_count(); first += kBatchRows) {
    const std::size_t end = std::min(first + kBatchRows, synopsis.cell_count());
    std::vector<std::vector<std::uint16_t>> nodes(sizes.size());
    std::vector<std::vector<std::int64_t>> values(classes);
    for (std::size_t cell = first; cell < end; ++cell) {
      const std::vector<std::uint16_t> of_cell = nodes_of_cell(sizes, cell);
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) nodes[axis].push_back(of_cell[axis]);
      for (std::size_t c = 0; c < classes; ++c) {
        values[c].push_back(synopsis.cell_counts[cell * classes + c]);
      }
    }
    std::vector<OutputSlice> slices;
    for (const auto& column : nodes) slices.push_back({std::span<const std::uint16_t>(column), {}});
    for (const auto& column : values) slices.push_back({std::span<const std::int64_t>(column), {}});
    PRIVPFC_TRY(writer.write(slices));
  }
  return writer.close();
}

Status read_cells(const std::filesystem::path& path, const Schema& schema, Synopsis& synopsis) {
  std::vector<std::string> names;
  for (const Synopsis::Axis& axis : synopsis.axes) names.push_back(schema[axis.attribute].name);
  std::vector<std::string> counts;
  for (const std::string& name : schema.label.classes) counts.push_back(count_column(name));
  PRIVPFC_ASSIGN(const TextTable table, read_table(path, names, counts));

  const std::vector<std::size_t> sizes = axis_sizes(schema, synopsis);
  std::size_t cells = 1;
  for (const std::size_t size : sizes) cells *= size;
  if (table.integers.front().size() != cells) {
    return not_as_expected(path, "the number of cells differs");
  }
  synopsis.cell_counts.clear();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::vector<std::uint16_t> nodes = nodes_of_cell(sizes, cell);
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      const Synopsis::Axis& which = synopsis.axes[axis];
      const std::string& expected = schema[which.attribute].hierarchy.label(
          which.level, NodeIndex(std::uint32_t{nodes[axis]}));
      if (table.texts[axis][cell] != expected) {
        return not_as_expected(path, "the cells are not in their order");
      }
    }
    for (const auto& column : table.integers) synopsis.cell_counts.push_back(column[cell]);
  }
  return {};
}

Status write_side_columns(const std::filesystem::path& path, const Schema& schema,
                          const Synopsis& synopsis, const std::string& facts) {
  std::vector<OutputColumn> columns{{"attribute", OutputColumn::Kind::kText, false, {}, false},
                                    {"value", OutputColumn::Kind::kText, false, {}, false}};
  const std::vector<OutputColumn> counts = count_columns(schema);
  columns.insert(columns.end(), counts.begin(), counts.end());
  PRIVPFC_ASSIGN(TableWriter writer, TableWriter::create(path, columns, writer_options(facts)));
  const std::size_t classes = schema.class_count();
  for (const Synopsis::SideColumn& side : synopsis.side_columns) {
    const Attribute& attribute = schema[side.attribute];
    const std::vector<std::string> names(attribute.hierarchy.leaf_count(), attribute.name);
    std::vector<std::string> labels;
    std::vector<std::vector<std::int64_t>> values(classes);
    for (std::size_t leaf = 0; leaf < attribute.hierarchy.leaf_count(); ++leaf) {
      labels.push_back(attribute.hierarchy.leaf_label(LeafIndex(leaf)));
      for (std::size_t c = 0; c < classes; ++c) {
        values[c].push_back(side.counts[leaf * classes + c]);
      }
    }
    std::vector<OutputSlice> slices{{std::span<const std::string>(names), {}},
                                    {std::span<const std::string>(labels), {}}};
    for (const auto& column : values) slices.push_back({std::span<const std::int64_t>(column), {}});
    PRIVPFC_TRY(writer.write(slices));
  }
  return writer.close();
}

Status read_side_columns(const std::filesystem::path& path, const Schema& schema,
                         Synopsis& synopsis) {
  std::vector<std::string> counts;
  for (const std::string& name : schema.label.classes) counts.push_back(count_column(name));
  PRIVPFC_ASSIGN(const TextTable table, read_table(path, {"attribute", "value"}, counts));
  std::size_t row = 0;
  for (Synopsis::SideColumn& side : synopsis.side_columns) {
    const Attribute& attribute = schema[side.attribute];
    for (std::size_t leaf = 0; leaf < attribute.hierarchy.leaf_count(); ++leaf, ++row) {
      if (row >= table.texts[0].size() || table.texts[0][row] != attribute.name ||
          table.texts[1][row] != attribute.hierarchy.leaf_label(LeafIndex(leaf))) {
        return not_as_expected(path, "the values are not in their order");
      }
      for (const auto& column : table.integers) side.counts.push_back(column[row]);
    }
  }
  if (row != table.texts[0].size()) return not_as_expected(path, "there are values too many");
  return {};
}

}  // namespace privpfc
