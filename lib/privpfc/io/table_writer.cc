#include "privpfc/io/table_writer.h"

#include <algorithm>
#include <unordered_set>

#include "privpfc/io/writer_sink.h"

namespace privpfc {

namespace {

using Kind = OutputColumn::Kind;

Status check_columns(const std::vector<OutputColumn>& columns) {
  if (columns.empty()) return make_error(ErrorKind::kFailure, "a table needs at least one column");
  std::unordered_set<std::string_view> names;
  for (const OutputColumn& column : columns) {
    if (column.name.empty()) return make_error(ErrorKind::kFailure, "an output column has no name");
    if (!names.insert(column.name).second) {
      return make_error(ErrorKind::kFailure, "two output columns are called '{}'", column.name);
    }
    std::unordered_set<std::string_view> categories;
    for (const std::string& category : column.categories) {
      if (!categories.insert(category).second) {
        return make_error(ErrorKind::kFailure, "column '{}' lists the category '{}' twice",
                          column.name, category);
      }
    }
  }
  return {};
}

template <typename Code>
bool codes_fit(std::span<const Code> codes, std::span<const std::uint8_t> valid,
               std::size_t count) {
  unsigned wrong = 0;  // no early end: these loops then take many codes at once
  const auto is_large = [&](std::size_t i) { return unsigned{codes[i] >= count}; };
  if (valid.empty()) {
    for (std::size_t i = 0; i < codes.size(); ++i) wrong |= is_large(i);
  } else {
    for (std::size_t i = 0; i < codes.size(); ++i) wrong |= is_large(i) & unsigned{valid[i] != 0};
  }
  return wrong == 0;
}

bool kind_fits(const OutputColumn& column, const OutputSlice& slice) {
  const OutputValues& values = slice.values;
  if (!column.numbers.empty()) {
    const auto* codes = std::get_if<std::span<const std::uint16_t>>(&values);
    return codes != nullptr && codes_fit(*codes, slice.valid, column.numbers.size());
  }
  switch (column.kind) {
    case Kind::kInteger:
      return std::holds_alternative<std::span<const std::int64_t>>(values);
    case Kind::kReal:
      return std::holds_alternative<std::span<const double>>(values);
    case Kind::kDate:
      return std::holds_alternative<std::span<const std::int32_t>>(values);
    case Kind::kBoolean:
      return std::holds_alternative<std::span<const std::uint8_t>>(values);
    case Kind::kText:
      return std::holds_alternative<std::span<const std::string>>(values);
    case Kind::kCategory:
      if (const auto* codes = std::get_if<std::span<const std::uint8_t>>(&values)) {
        return codes_fit(*codes, slice.valid, column.categories.size());
      }
      if (const auto* codes = std::get_if<std::span<const std::uint16_t>>(&values)) {
        return codes_fit(*codes, slice.valid, column.categories.size());
      }
      return false;
  }
  return false;
}

// What the packed writer needs.
bool is_all_codes(const std::vector<OutputColumn>& columns) {
  return std::all_of(columns.begin(), columns.end(), [](const OutputColumn& column) {
    return column.kind == Kind::kCategory || column.kind == Kind::kBoolean ||
           !column.numbers.empty();
  });
}

}  // namespace

Result<TableWriter> TableWriter::create(const std::filesystem::path& path,
                                        std::vector<OutputColumn> columns, WriterOptions options) {
  PRIVPFC_TRY(check_columns(columns));
  const std::optional<FileFormat> format = options.format ? options.format : format_of(path);
  if (!format) {
    return make_error(ErrorKind::kUsage,
                      "{}: cannot tell the format; end the name in .csv or .parquet",
                      path.string());
  }
  PRIVPFC_ASSIGN(OutputFile file, OutputFile::create(path, options.overwrite, options.mode));
  if (options.digest != nullptr) file.start_hash();
  if (options.sync) file.start_sync();
  const bool is_packed = options.packed && is_all_codes(columns);
  const auto make_sink = *format == FileFormat::kCsv ? make_csv_sink
                         : is_packed                 ? make_packed_sink
                                                     : make_parquet_sink;
  PRIVPFC_ASSIGN(auto sink, make_sink(std::move(file), std::move(columns), std::move(options)));
  return TableWriter(std::move(sink));
}

TableWriter::TableWriter(std::unique_ptr<Sink> sink) : sink_(std::move(sink)) {}
TableWriter::TableWriter(TableWriter&&) noexcept = default;
TableWriter& TableWriter::operator=(TableWriter&&) noexcept = default;
TableWriter::~TableWriter() = default;

Status TableWriter::write(std::span<const OutputSlice> slices) {
  require(sink_ != nullptr, "write to a closed TableWriter");
  const std::vector<OutputColumn>& columns = sink_->columns();
  require(slices.size() == columns.size(), "one slice per column");
  const auto size_of = [](const OutputValues& values) {
    return std::visit([](const auto& span) { return span.size(); }, values);
  };
  const std::size_t rows = size_of(slices[0].values);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const OutputSlice& slice = slices[i];
    require(size_of(slice.values) == rows, "columns of one length");
    require(slice.valid.empty() || slice.valid.size() == rows, "one validity byte per row");
    require(columns[i].nullable || std::ranges::find(slice.valid, 0) == slice.valid.end(),
            "nulls only in nullable columns");
    require(kind_fits(columns[i], slice), "values of the column's kind");
  }
  return sink_->write(slices, rows);
}

Status TableWriter::close() {
  require(sink_ != nullptr, "close() called twice");
  const Status status = sink_->close();
  sink_.reset();
  return status;
}

}  // namespace privpfc
