// CSV through Arrow's own chunker and parser. Blocks are cut at row ends one after another; each is
// parsed on the thread that decodes it. All cells stay text: what cannot be read as a number is the
// encoder's business and no error.

#include <arrow/buffer.h>
#include <arrow/csv/chunker.h>
#include <arrow/csv/options.h>
#include <arrow/csv/parser.h>
#include <arrow/util/utf8.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <unordered_map>

#include "privpfc/io/input_file.h"
#include "privpfc/io/input_source.h"

namespace privpfc {

namespace {

constexpr std::size_t kBlockSize = std::size_t{1} << 19;
constexpr std::string_view kOpenQuote =
    "opens a quote that is never closed; check the quoting, or declare 'quote: none' in the "
    "schema's csv part";

arrow::csv::ParseOptions parse_options(const CsvFormat& format) {
  auto options = arrow::csv::ParseOptions::Defaults();
  options.delimiter = format.separator;
  options.quoting = format.quote.has_value();
  options.quote_char = format.quote.value_or('"');
  options.newlines_in_values = options.quoting;
  options.ignore_empty_lines = true;
  // Arrow's own text for such a row would quote it.
  options.invalid_row_handler = [](const arrow::csv::InvalidRow&) {
    return arrow::csv::InvalidRowResult::Error;
  };
  return options;
}

// Where a scan over the bytes stands, by the parser's rules: a quote counts only at the start of a
// field, and two quotes inside a quoted field are one.
struct QuoteState {
  bool at_field_start = true;
  bool in_quotes = false;

  void step(char c, const CsvFormat& format) {
    if (in_quotes) {
      in_quotes = c != format.quote;
      after_quote = !in_quotes;
    } else if (after_quote && c == format.quote) {
      in_quotes = true;
      after_quote = false;
    } else {
      after_quote = false;
      if (at_field_start && format.quote && c == *format.quote) in_quotes = true;
    }
    at_field_start = !in_quotes && (c == format.separator || c == '\n' || c == '\r');
  }

  bool after_quote = false;
};

bool ends_in_quotes(std::string_view rows, const CsvFormat& format) {
  QuoteState state;
  for (const char c : rows) state.step(c, format);
  return state.in_quotes;
}

// Takes out the spaces that follow a separator, so that ", " reads as ",".
class SpaceFilter {
 public:
  explicit SpaceFilter(const CsvFormat& format) : format_(format) {}

  std::size_t run(char* bytes, std::size_t size) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const char c = bytes[i];
      if (c == ' ' && after_separator_) continue;
      state_.step(c, format_);
      after_separator_ = state_.at_field_start && c == format_.separator;
      bytes[kept++] = c;
    }
    return kept;
  }

 private:
  const CsvFormat format_;
  QuoteState state_;
  bool after_separator_ = false;
};

// Blocks that have been dealt with, for reuse: fresh memory costs more than reading the file does.
class SpareBlocks {
 public:
  std::string take() {
    const std::lock_guard lock(mutex_);
    if (blocks_.empty()) return {};
    std::string block = std::move(blocks_.back());
    blocks_.pop_back();
    return block;
  }
  void give_back(std::string block) {
    if (block.capacity() > 4 * kBlockSize) return;  // held one of the rare long rows
    const std::lock_guard lock(mutex_);
    block.clear();
    blocks_.push_back(std::move(block));
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> blocks_;
};

class CsvBatch final : public RawBatch {
 public:
  CsvBatch(std::string bytes, std::shared_ptr<SpareBlocks> spare, bool is_last,
           std::size_t column_count, std::vector<std::size_t> columns, const CsvFormat& format)
      : bytes_(std::move(bytes)),
        spare_(std::move(spare)),
        is_last_(is_last),
        column_count_(column_count),
        columns_(std::move(columns)),
        format_(format) {}

  ~CsvBatch() override { spare_->give_back(std::move(bytes_)); }
  CsvBatch(const CsvBatch&) = delete;
  CsvBatch& operator=(const CsvBatch&) = delete;

  DecodedBatch decode() override {
    if (const auto* nul = std::memchr(bytes_.data(), 0, bytes_.size())) {
      return at(static_cast<std::size_t>(static_cast<const char*>(nul) - bytes_.data()),
                "holds a NUL byte; a text file has none (is it UTF-16?)");
    }
    if (!arrow::util::ValidateUTF8(bytes_)) {
      return at(bad_line(), "is not UTF-8; convert the file to UTF-8 first");
    }
    if (is_last_) {
      const std::size_t start = last_row_start();
      if (ends_in_quotes(std::string_view(bytes_).substr(start), format_)) {
        return at(start, kOpenQuote);
      }
    }
    std::optional<BatchError> bad_row;
    const std::shared_ptr<Parsed> parsed = parse(bytes_, bad_row);
    if (bad_row) return *bad_row;
    if (parsed == nullptr) return BatchError{ErrorKind::kData, "cannot be read as CSV"};
    return view(parsed);
  }

 private:
  struct Parsed {
    arrow::csv::BlockParser parser;
    std::unique_ptr<arrow::Buffer> cells;  // string_views, column after column; not initialised
  };

  // Null when the parser gives up; sets `bad_row` when it says why.
  std::shared_ptr<Parsed> parse(std::string_view bytes, std::optional<BatchError>& bad_row) const {
    arrow::csv::ParseOptions options = parse_options(format_);
    options.invalid_row_handler = [&](const arrow::csv::InvalidRow& row) {
      bad_row = BatchError{
          ErrorKind::kData,
          fmt::format("has {} {}, not {}", row.actual_columns,
                      row.actual_columns == 1 ? "column" : "columns", row.expected_columns),
          static_cast<std::size_t>(row.number)};
      return arrow::csv::InvalidRowResult::Error;
    };
    auto parsed = std::shared_ptr<Parsed>(
        new Parsed{arrow::csv::BlockParser(options, static_cast<int>(column_count_), 0,
                                           std::numeric_limits<std::int32_t>::max()),
                   {}});
    std::uint32_t size = 0;
    const arrow::Status status =
        is_last_ ? parsed->parser.ParseFinal(bytes, &size) : parsed->parser.Parse(bytes, &size);
    if (!status.ok() || size != bytes.size()) return nullptr;
    return parsed;
  }

  DecodedBatch view(const std::shared_ptr<Parsed>& parsed) const {
    Batch batch;
    batch.rows = static_cast<std::size_t>(parsed->parser.num_rows());
    const std::size_t size = sizeof(std::string_view) * batch.rows * columns_.size();
    auto cells = arrow::AllocateBuffer(static_cast<std::int64_t>(size));
    if (!cells.ok()) return BatchError{ErrorKind::kLimit, "out of memory"};
    parsed->cells = std::move(*cells);
    auto* next = reinterpret_cast<std::string_view*>(parsed->cells->mutable_data());
    for (const std::size_t column : columns_) {
      const std::span<const std::string_view> view(next, batch.rows);
      const auto visit = [&next](const std::uint8_t* data, std::uint32_t length, bool) {
        std::construct_at(next++, reinterpret_cast<const char*>(data), length);
        return arrow::Status::OK();
      };
      if (!parsed->parser.VisitColumn(static_cast<int>(column), visit).ok()) {
        return BatchError{ErrorKind::kData, "cannot be read as CSV"};
      }
      batch.columns.push_back({batch.rows, view});
    }
    batch.memory.push_back(parsed);
    return batch;
  }

  // The row of the byte at `offset`.
  BatchError at(std::size_t offset, std::string_view what) const {
    std::size_t row = 0;
    bool blank = true;
    QuoteState state;
    for (const char c : std::string_view(bytes_).substr(0, offset)) {
      state.step(c, format_);
      const bool ends_row = !state.in_quotes && (c == '\n' || c == '\r');
      if (ends_row && !blank) ++row;
      blank = ends_row;
    }
    return {ErrorKind::kData, std::string(what), row};
  }

  // The start of the first line that is not UTF-8. No character spans two lines.
  std::size_t bad_line() const {
    std::size_t start = 0;
    while (true) {
      const std::size_t end = std::min(bytes_.find('\n', start), bytes_.size());
      const std::string_view line = std::string_view(bytes_).substr(start, end - start);
      if (end == bytes_.size() || !arrow::util::ValidateUTF8(line)) return start;
      start = end + 1;
    }
  }

  std::size_t last_row_start() const {
    std::size_t start = 0;
    QuoteState state;
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      state.step(bytes_[i], format_);
      if (!state.in_quotes && (bytes_[i] == '\n' || bytes_[i] == '\r')) start = i + 1;
    }
    return start;
  }

  std::string bytes_;
  const std::shared_ptr<SpareBlocks> spare_;
  const bool is_last_;
  const std::size_t column_count_;
  const std::vector<std::size_t> columns_;
  const CsvFormat format_;
};

class CsvSource final : public InputSource {
 public:
  CsvSource(InputFile file, std::string path, const CsvFormat& format, const ReaderLimits& limits)
      : file_(std::move(file)),
        path_(std::move(path)),
        format_(format),
        limits_(limits),
        chunker_(arrow::csv::MakeChunker(parse_options(format))) {
    if (format.space_after_separator) filter_.emplace(format);
    arrow::util::InitializeUTF8();
  }

  // Reads up to the first row of data.
  Status open() {
    if (file_.size() == 0 && format_.header) return error("is empty");
    PRIVPFC_ASSIGN(const bool is_parquet, has_parquet_ends());
    if (is_parquet) {
      return error("is a Parquet file by its first bytes; give it a name that ends in .parquet");
    }
    PRIVPFC_TRY(fill());
    const std::string_view start = pending_;
    if (start.starts_with("\xEF\xBB\xBF")) pending_.erase(0, 3);
    if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
      return error("is UTF-16; convert the file to UTF-8 first");
    }
    for (std::size_t i = 0; i < format_.skip_lines; ++i) PRIVPFC_TRY(skip_line());
    return read_header();
  }

  const std::vector<InputColumn>& columns() const override { return columns_; }

  Status select(std::span<const std::size_t> columns, bool) override {
    selected_.assign(columns.begin(), columns.end());
    return {};
  }

  Result<std::unique_ptr<RawBatch>> fetch() override {
    if (finished_) return std::unique_ptr<RawBatch>();
    std::size_t whole = 0;
    while (whole == 0 && !at_end_) {
      PRIVPFC_TRY(fill());
      PRIVPFC_ASSIGN(whole, whole_rows());
      if (whole == 0 && pending_.size() > limits_.row_bytes) return row_too_long();
    }
    finished_ = at_end_;
    if (at_end_) whole = pending_.size();
    std::string rest = spare_->take();
    rest.assign(pending_, whole);
    pending_.resize(whole);
    std::string block = std::exchange(pending_, std::move(rest));
    if (block.empty()) return std::unique_ptr<RawBatch>();
    return std::unique_ptr<RawBatch>(std::make_unique<CsvBatch>(
        std::move(block), spare_, finished_, columns_.size(), selected_, format_));
  }

 private:
  Error error(std::string_view what) const {
    return make_error(ErrorKind::kData, "{} {}", path_, what);
  }

  // At both ends: a column of a text file may well be called PAR1.
  Result<bool> has_parquet_ends() const {
    constexpr std::string_view kMagic = "PAR1";
    char ends[2 * kMagic.size()] = {};
    if (file_.size() < sizeof ends) return false;
    PRIVPFC_ASSIGN(const std::size_t first, file_.read_at(0, ends, kMagic.size()));
    PRIVPFC_ASSIGN(const std::size_t last, file_.read_at(file_.size() - kMagic.size(),
                                                         ends + kMagic.size(), kMagic.size()));
    return first + last == sizeof ends && std::string_view(ends, kMagic.size()) == kMagic &&
           std::string_view(ends + kMagic.size(), kMagic.size()) == kMagic;
  }

  Error row_too_long() const {
    return make_error(ErrorKind::kLimit,
                      "{} has a row of more than {} MiB; is a quote left open, or is it not CSV?",
                      path_, limits_.row_bytes >> 20);
  }

  // Appends the next bytes of the file. A block at a time, also to a row that is longer than that:
  // so what is pending is one such row at most, and memory stays within the limit for a row.
  Status fill() {
    const std::size_t old_size = pending_.size();
    pending_.resize(old_size + kBlockSize);
    PRIVPFC_ASSIGN(std::size_t got, file_.read(pending_.data() + old_size, kBlockSize));
    at_end_ = got == 0;
    if (filter_) got = filter_->run(pending_.data() + old_size, got);
    pending_.resize(old_size + got);
    return {};
  }

  // The number of pending bytes up to the end of the last complete row.
  Result<std::size_t> whole_rows() {
    // Without a quote every newline ends a row. Arrow's chunker would look at each byte to see it.
    const char quote = format_.quote.value_or('\n');
    if (quote == '\n' || pending_.find(quote) == std::string::npos) {
      const std::size_t last = pending_.rfind('\n');
      if (last != std::string::npos) return last + 1;
    }
    std::shared_ptr<arrow::Buffer> whole, partial;
    const auto buffer = std::make_shared<arrow::Buffer>(std::string_view(pending_));
    if (!chunker_->Process(buffer, &whole, &partial).ok()) return error("cannot be read as CSV");
    return static_cast<std::size_t>(whole->size());
  }

  Status skip_line() {
    std::size_t end = pending_.find('\n');
    while (end == std::string::npos && !at_end_) {
      if (pending_.size() > limits_.row_bytes) return row_too_long();
      PRIVPFC_TRY(fill());
      end = pending_.find('\n');
    }
    if (end == std::string::npos) return error("has fewer lines than the schema says to skip");
    pending_.erase(0, end + 1);
    return {};
  }

  // Reads on until the first row that is not blank is whole.
  Result<std::size_t> first_rows() {
    while (true) {
      pending_.erase(0, pending_.find_first_not_of("\r\n"));
      PRIVPFC_ASSIGN(const std::size_t whole, whole_rows());
      if (whole > 0) return whole;
      if (at_end_) return pending_.size();
      if (pending_.size() > limits_.row_bytes) return row_too_long();
      PRIVPFC_TRY(fill());
    }
  }

  Status read_header() {
    PRIVPFC_ASSIGN(const std::size_t whole, first_rows());
    if (whole == 0 && format_.header) return error("has no header row");
    if (whole == 0) return {};  // no rows, and nobody who names the columns: a table all the same
    std::string_view rows = std::string_view(pending_).substr(0, whole);
    if (rows.find('\0') != std::string_view::npos && rows.find('\0') < rows.find('\n')) {
      return error("holds NUL bytes in its first row; is it UTF-16, or not a text file?");
    }
    arrow::csv::BlockParser parser(parse_options(format_), -1, 0, 1);
    std::uint32_t size = 0;
    if (!parser.ParseFinal(rows, &size).ok()) return error("has a first row that cannot be read");
    const auto count = static_cast<std::size_t>(parser.num_cols());
    if (count > limits_.columns) {
      return make_error(ErrorKind::kLimit, "{} has {} columns; at most {} can be read", path_,
                        count, limits_.columns);
    }
    if (ends_in_quotes(rows.substr(0, size), format_)) {
      return error(fmt::format("is broken: its first row {}", kOpenQuote));
    }
    if (!format_.header) {
      for (std::size_t i = 0; i < count; ++i) columns_.push_back({std::to_string(i + 1)});
      return {};
    }
    PRIVPFC_TRY(name_columns(parser));
    pending_.erase(0, size);
    return {};
  }

  Status name_columns(const arrow::csv::BlockParser& parser) {
    // A file without the header that the schema expects has cells here: say where, not what.
    std::unordered_map<std::string, std::size_t> first_use;
    const auto visit = [&](const std::uint8_t* data, std::uint32_t size, bool) {
      columns_.push_back({std::string(reinterpret_cast<const char*>(data), size)});
      return arrow::Status::OK();
    };
    if (!parser.VisitLastRow(visit).ok()) return error("has a header that cannot be read");
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& name = columns_[i].name;
      if (!arrow::util::ValidateUTF8(name)) {
        return error("is not UTF-8 in its header; convert the file to UTF-8 first");
      }
      if (name.empty()) {
        return error(fmt::format("has no name for column {} in its header", i + 1));
      }
      const auto [use, is_new] = first_use.emplace(name, i);
      if (!is_new) {
        return error(fmt::format("gives columns {} and {} the same name in its header",
                                 use->second + 1, i + 1));
      }
    }
    return {};
  }

  InputFile file_;
  const std::string path_;
  const CsvFormat format_;
  const ReaderLimits limits_;
  const std::unique_ptr<arrow::Chunker> chunker_;
  std::optional<SpaceFilter> filter_;
  const std::shared_ptr<SpareBlocks> spare_ = std::make_shared<SpareBlocks>();
  std::string pending_;  // read from the file, not yet handed out; starts at a row's start
  bool at_end_ = false;
  bool finished_ = false;
  std::vector<InputColumn> columns_;
  std::vector<std::size_t> selected_;
};

}  // namespace

Result<std::unique_ptr<InputSource>> open_csv(const std::filesystem::path& path,
                                              const CsvFormat& format, const ReaderLimits& limits) {
  PRIVPFC_ASSIGN(InputFile file, InputFile::open(path));
  auto source = std::make_unique<CsvSource>(std::move(file), path.string(), format, limits);
  PRIVPFC_TRY(source->open());
  return std::unique_ptr<InputSource>(std::move(source));
}

}  // namespace privpfc
