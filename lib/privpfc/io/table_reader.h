#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/column_view.h"
#include "privpfc/io/file_format.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// Public limits: passing one is an error of kind kLimit.
struct ReaderLimits {
  std::size_t memory = std::size_t{384} << 20;       // bytes that decoding Parquet may hold at once
  std::size_t columns = 4096;                        // in a file, whether read or not
  std::size_t row_bytes = std::size_t{16} << 20;     // of one CSV row
  std::uint64_t rows = std::uint64_t{1} << 36;       // in all files together
  std::size_t footer_bytes = std::size_t{64} << 20;  // of a Parquet file
};

// Where a row stands, for messages: row 1 is the first below the header; blank lines do not count.
struct RowPosition {
  std::size_t file = 0;         // index into TableReader::files()
  std::uint64_t first_row = 0;  // of the batch, in its file, counted from 0
};

// Reads CSV and Parquet files in batches. Errors name file, column and row, never a value; no value
// is an error. A table is whole only if read() returned success: use nothing of it before.
class TableReader {
 public:
  // `paths`: files, or directories that stand for the files in them, in the order of their names.
  // All must be of one format and have the same columns. `csv` describes CSV files; Parquet files
  // do not heed it. Headers and footers of all files are checked here.
  static Result<TableReader> open(const std::vector<std::filesystem::path>& paths,
                                  const CsvFormat& csv = {}, const ReaderLimits& limits = {});
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;
  ~TableReader();

  FileFormat format() const;
  const std::vector<std::filesystem::path>& files() const;
  const std::vector<InputColumn>& columns() const;

  // Turns one batch into what is to be done with it when its turn has come. Called on several
  // threads at once, in any order; what it returns is called one at a time and in row order.
  using Turn = std::function<Status(const RowPosition&)>;
  using Work = std::function<Turn(const Batch&)>;

  // Reads the columns with these positions from the first row to the last, on `threads` threads (0:
  // one per core). How rows are cut into batches depends on the files and the selection only.
  // May be called again: it starts from the first row.
  Status read(std::span<const std::size_t> columns, unsigned threads, const Work& work);

 private:
  struct State;
  explicit TableReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace privpfc
