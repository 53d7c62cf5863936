// Writes CSV by hand rather than through Arrow: a null and an empty text stay apart (nothing
// against ""), and numbers are the shortest text that reads back to the same number, in any locale.

#include <charconv>
#include <chrono>

#include "privpfc/io/writer_sink.h"

namespace privpfc {

namespace {

constexpr std::size_t kBufferSize = 1U << 20;

void append_text(std::string& out, std::string_view text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos &&
      text.front() != ' ' && text.back() != ' ') {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

template <typename Number>
void append_number(std::string& out, Number number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

void append_date(std::string& out, std::int32_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

class CsvSink final : public TableWriter::Sink {
 public:
  CsvSink(OutputFile file, std::vector<OutputColumn> columns, WriterOptions options)
      : Sink(std::move(columns), std::move(options)), file_(std::move(file)) {
    for (const OutputColumn& column : this->columns()) {
      if (!buffer_.empty()) buffer_ += ',';
      append_text(buffer_, column.name);
    }
    buffer_ += '\n';
  }

  Status write(std::span<const OutputSlice> slices, std::size_t rows) override {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < slices.size(); ++i) {
        if (i > 0) buffer_ += ',';
        const OutputSlice& slice = slices[i];
        if (slice.valid.empty() || slice.valid[row] != 0) append(columns()[i], slice, row);
      }
      buffer_ += '\n';
      if (buffer_.size() >= kBufferSize) PRIVPFC_TRY(flush());
    }
    return {};
  }

  Status close() override {
    PRIVPFC_TRY(flush());
    return keep(file_);
  }

 private:
  Status flush() {
    const Status status = file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
    return status;
  }

  void append(const OutputColumn& column, const OutputSlice& slice, std::size_t row) {
    if (!column.numbers.empty()) return append_coded(column, column.numbers[code_at(slice, row)]);
    switch (column.kind) {
      case OutputColumn::Kind::kInteger:
        return append_number(buffer_, std::get<0>(slice.values)[row]);
      case OutputColumn::Kind::kReal:
        return append_number(buffer_, std::get<1>(slice.values)[row]);
      case OutputColumn::Kind::kDate:
        return append_date(buffer_, std::get<2>(slice.values)[row]);
      case OutputColumn::Kind::kBoolean:
        buffer_ += std::get<3>(slice.values)[row] != 0 ? "true" : "false";
        return;
      case OutputColumn::Kind::kCategory:
        return append_text(buffer_, column.categories[code_at(slice, row)]);
      case OutputColumn::Kind::kText:
        return append_text(buffer_, std::get<5>(slice.values)[row]);
    }
  }

  void append_coded(const OutputColumn& column, double number) {
    if (column.kind == OutputColumn::Kind::kReal) return append_number(buffer_, number);
    if (column.kind == OutputColumn::Kind::kDate) {
      return append_date(buffer_, static_cast<std::int32_t>(number));
    }
    append_number(buffer_, static_cast<std::int64_t>(number));
  }

  static std::size_t code_at(const OutputSlice& slice, std::size_t row) {
    const auto* bytes = std::get_if<std::span<const std::uint8_t>>(&slice.values);
    return bytes != nullptr ? (*bytes)[row] : std::get<4>(slice.values)[row];
  }

  OutputFile file_;
  std::string buffer_;
};

}  // namespace

Result<std::unique_ptr<TableWriter::Sink>> make_csv_sink(OutputFile file,
                                                         std::vector<OutputColumn> columns,
                                                         WriterOptions options) {
  return std::unique_ptr<TableWriter::Sink>(
      std::make_unique<CsvSink>(std::move(file), std::move(columns), std::move(options)));
}

}  // namespace privpfc
