#include "privpfc/io/table_reader.h"

#include <arrow/util/thread_pool.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "privpfc/io/input_file.h"
#include "privpfc/io/input_source.h"

namespace privpfc {

namespace {

// Names are compared and not shown: in a file that lacks its header they are the cells of a row.
Status add_file(std::vector<InputColumn>& table, const std::vector<InputColumn>& file,
                const std::filesystem::path& first_path, const std::filesystem::path& path) {
  if (file.empty()) return {};
  if (table.empty()) {
    table = file;
    return {};
  }
  if (table.size() != file.size()) {
    return make_error(ErrorKind::kData, "{} has {} columns, but {} has {}", path.string(),
                      file.size(), first_path.string(), table.size());
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name != file[i].name) {
      return make_error(ErrorKind::kData, "column {} of {} has another name than in {}", i + 1,
                        path.string(), first_path.string());
    }
    if (table[i].type != file[i].type) table[i].other_types.push_back(file[i].type);
  }
  return {};
}

bool same_columns(const std::vector<InputColumn>& then, const std::vector<InputColumn>& now) {
  return std::ranges::equal(then, now, [](const InputColumn& a, const InputColumn& b) {
    return a.name == b.name && a.type == b.type;
  });
}

// Those of a table that has neither header nor rows.
Result<std::vector<InputColumn>> columns_by_position(const CsvFormat& csv,
                                                     const ReaderLimits& limits) {
  if (csv.columns > limits.columns) {
    return make_error(ErrorKind::kLimit, "the schema speaks of column {}; at most {} can be read",
                      csv.columns, limits.columns);
  }
  std::vector<InputColumn> columns;
  for (std::size_t i = 0; i < csv.columns; ++i) columns.push_back({std::to_string(i + 1)});
  return columns;
}

}  // namespace

struct TableReader::State {
  InputFiles files;
  CsvFormat csv;
  ReaderLimits limits;
  std::vector<InputColumn> columns;
  std::vector<std::vector<InputColumn>> columns_of_file;

  Result<std::unique_ptr<InputSource>> open_file(std::size_t index,
                                                 const std::shared_ptr<CappedPool>& pool) const {
    const std::filesystem::path& path = files.paths[index];
    return files.format == FileFormat::kCsv ? open_csv(path, csv, limits)
                                            : open_parquet(path, limits, pool);
  }
};

namespace {

// One run through all files. Threads take batches in order, decode and work on them side by side,
// and finish them in order again: a thread waits for its turn, so at most one batch per thread is
// alive, and the first error in row order is the one that counts.
class Run {
 public:
  using OpenFile = std::function<Result<std::unique_ptr<InputSource>>(std::size_t)>;

  Run(const std::vector<std::filesystem::path>& files, OpenFile open_file,
      std::span<const std::size_t> columns, const ReaderLimits& limits, unsigned threads,
      const TableReader::Work& work)
      : files_(files),
        open_file_(std::move(open_file)),
        columns_(columns),
        limits_(limits),
        threads_(threads),
        work_(work) {}

  Status run() {
    {
      std::vector<std::jthread> helpers;
      try {
        for (unsigned i = 1; i < threads_; ++i) helpers.emplace_back([this] { loop(); });
      } catch (const std::system_error&) {
        // The system gives no more threads: those that there are do the work.
      }
      loop();
    }
    return result_;
  }

 private:
  struct Ticket {
    std::uint64_t number = 0;
    std::size_t file = 0;
    std::unique_ptr<RawBatch> batch{};
    Status error{};
    std::size_t rows = 0;  // known once it is decoded
  };

  void loop() {
    while (true) {
      std::optional<Ticket> ticket = take();
      if (!ticket) return;
      std::variant<Turn, BatchError> outcome = process(*ticket);
      ticket->batch.reset();
      if (!take_turn(*ticket, outcome)) return;
    }
  }

  // The next batch, or an error in its place; nothing at the end.
  std::optional<Ticket> take() {
    const std::lock_guard lock(fetching_);
    if (ended_) return std::nullopt;
    Ticket ticket{.number = taken_, .file = file_};
    Result<std::unique_ptr<RawBatch>> batch = fetch();
    if (!batch.ok()) {
      ended_ = true;
      ticket.error = batch.error();
    } else if (*batch == nullptr) {
      ended_ = true;
      return std::nullopt;
    } else {
      ticket.batch = std::move(*batch);
    }
    ticket.file = file_;
    ++taken_;
    return ticket;
  }

  Result<std::unique_ptr<RawBatch>> fetch() {
    try {
      while (true) {
        if (source_ == nullptr) {
          if (next_file_ == files_.size()) return std::unique_ptr<RawBatch>();
          file_ = next_file_++;
          PRIVPFC_ASSIGN(source_, open_file_(file_));
          PRIVPFC_TRY(source_->select(columns_, threads_ > 1));
        }
        PRIVPFC_ASSIGN(std::unique_ptr<RawBatch> batch, source_->fetch());
        if (batch != nullptr) return batch;
        source_.reset();
      }
    } catch (const std::bad_alloc&) {
      return make_error(ErrorKind::kLimit, "out of memory while reading {}",
                        files_[file_].string());
    }
  }

  using Turn = TableReader::Turn;

  std::variant<Turn, BatchError> process(Ticket& ticket) {
    if (!ticket.error.ok()) return BatchError{};
    try {
      DecodedBatch decoded = ticket.batch->decode();
      if (auto* error = std::get_if<BatchError>(&decoded)) return std::move(*error);
      const Batch& batch = std::get<Batch>(decoded);
      ticket.rows = batch.rows;
      return work_(batch);
    } catch (const std::bad_alloc&) {
      return BatchError{ErrorKind::kLimit, "out of memory", std::nullopt};
    }
  }

  // False when an error has ended the run.
  bool take_turn(Ticket& ticket, std::variant<Turn, BatchError>& outcome) {
    std::unique_lock lock(finishing_);
    turn_changed_.wait(lock, [&] { return finished_ == ticket.number || stopped_; });
    if (stopped_) return false;
    if (ticket.file != rows_file_) {
      rows_file_ = ticket.file;
      rows_of_file_ = 0;
    }
    Status status = ticket.error;
    if (status.ok()) {
      if (const auto* error = std::get_if<BatchError>(&outcome)) {
        status = located(*error, ticket.file);
      } else {
        status = finish(std::get<Turn>(outcome), ticket.file);
        rows_of_file_ += ticket.rows;
        rows_ += ticket.rows;
        if (status.ok() && rows_ > limits_.rows) {
          status = make_error(ErrorKind::kLimit, "the data has more than {} rows", limits_.rows);
        }
      }
    }
    ++finished_;
    if (!status.ok()) {
      result_ = status;
      stopped_ = true;
    }
    turn_changed_.notify_all();
    return status.ok();
  }

  Status finish(const Turn& turn, std::size_t file) const {
    try {
      return turn(RowPosition{file, rows_of_file_});
    } catch (const std::bad_alloc&) {
      return located({ErrorKind::kLimit, "out of memory", std::nullopt}, file);
    }
  }

  Status located(const BatchError& error, std::size_t file) const {
    if (!error.row) return make_error(error.kind, "{}: {}", files_[file].string(), error.what);
    return make_error(error.kind, "{}: row {} {}", files_[file].string(),
                      rows_of_file_ + *error.row + 1, error.what);
  }

  const std::vector<std::filesystem::path>& files_;
  const OpenFile open_file_;
  const std::span<const std::size_t> columns_;
  const ReaderLimits& limits_;
  const unsigned threads_;
  const TableReader::Work& work_;

  std::mutex fetching_;  // guards the next five
  std::unique_ptr<InputSource> source_;
  std::size_t next_file_ = 0;
  std::size_t file_ = 0;
  std::uint64_t taken_ = 0;
  bool ended_ = false;

  std::mutex finishing_;  // guards the rest
  std::condition_variable turn_changed_;
  std::uint64_t finished_ = 0;
  std::size_t rows_file_ = 0;
  std::uint64_t rows_of_file_ = 0;
  std::uint64_t rows_ = 0;
  bool stopped_ = false;
  Status result_;
};

}  // namespace

Result<TableReader> TableReader::open(const std::vector<std::filesystem::path>& paths,
                                      const CsvFormat& csv, const ReaderLimits& limits) {
  auto state = std::make_unique<State>();
  PRIVPFC_ASSIGN(state->files, list_input_files(paths));
  state->csv = csv;
  state->limits = limits;
  for (std::size_t i = 0; i < state->files.paths.size(); ++i) {
    const auto pool = std::make_shared<CappedPool>(limits.memory);
    PRIVPFC_ASSIGN(const std::unique_ptr<InputSource> source, state->open_file(i, pool));
    PRIVPFC_TRY(
        add_file(state->columns, source->columns(), state->files.paths[0], state->files.paths[i]));
    state->columns_of_file.push_back(source->columns());
  }
  if (state->columns.empty()) {
    PRIVPFC_ASSIGN(state->columns, columns_by_position(csv, limits));
  }
  return TableReader(std::move(state));
}

TableReader::TableReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;
TableReader::~TableReader() = default;

FileFormat TableReader::format() const {
  return state_->files.format;
}
const std::vector<std::filesystem::path>& TableReader::files() const {
  return state_->files.paths;
}
const std::vector<InputColumn>& TableReader::columns() const {
  return state_->columns;
}

Status TableReader::read(std::span<const std::size_t> columns, unsigned threads, const Work& work) {
  for (const std::size_t column : columns) {
    require(column < state_->columns.size(), "a selected column exists");
  }
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  // Parquet columns are decoded on Arrow's own threads.
  if (threads > 1 && arrow::GetCpuThreadPoolCapacity() != static_cast<int>(threads)) {
    require(arrow::SetCpuThreadPoolCapacity(static_cast<int>(threads)).ok(), "threads > 0");
  }
  const auto pool = std::make_shared<CappedPool>(state_->limits.memory);
  const auto open_file = [&](std::size_t i) -> Result<std::unique_ptr<InputSource>> {
    PRIVPFC_ASSIGN(std::unique_ptr<InputSource> source, state_->open_file(i, pool));
    if (!same_columns(state_->columns_of_file[i], source->columns())) {
      return make_error(ErrorKind::kData, "{} was changed while it was being read",
                        state_->files.paths[i].string());
    }
    return source;
  };
  return Run(state_->files.paths, open_file, columns, state_->limits, threads, work).run();
}

}  // namespace privpfc
