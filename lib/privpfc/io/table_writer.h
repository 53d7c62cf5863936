#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/file_format.h"
#include "privpfc/io/output_file.h"

namespace privpfc {

// One column of a file to be written. What the file says about it comes from here alone: a
// category column's dictionary holds `categories`, all of them and in this order, whichever occur.
struct OutputColumn {
  enum class Kind { kInteger, kReal, kDate, kBoolean, kCategory, kText };

  std::string name;
  Kind kind = Kind::kText;
  bool nullable = false;
  std::vector<std::string> categories{};  // kCategory only; no two alike
  bool ordered = false;                   // kCategory only
  // kInteger, kReal, kDate: if given, all values that there can be, and rows hold their codes.
  std::vector<double> numbers{};
};

// The values of one column in one batch; the memory stays the caller's. The alternative must fit
// the column's kind: int64 integer, double real, int32 date (days since 1970-01-01), bytes boolean
// (0, 1) or category codes, uint16 codes of categories or listed numbers, strings text.
using OutputValues = std::variant<std::span<const std::int64_t>, std::span<const double>,
                                  std::span<const std::int32_t>, std::span<const std::uint8_t>,
                                  std::span<const std::uint16_t>, std::span<const std::string>>;

struct OutputSlice {
  OutputValues values;
  std::span<const std::uint8_t> valid{};  // 0: null. Empty when nothing is null
};

enum class Compression { kNone, kSnappy, kZstd };

struct WriterOptions {
  std::optional<FileFormat> format{};  // by the extension when not given
  bool overwrite = false;              // otherwise an existing file is an error
  bool sync = false;                   // close() returns when the bytes are on the disk
  unsigned mode = 0600;                // of the new file; the umask still applies
  FileDigest* digest = nullptr;        // if given: filled in by close(); outlives the writer

  // Parquet only
  Compression compression = Compression::kZstd;
  bool statistics = true;  // least and largest value of each row group
  bool packed = false;     // columns hold codes alone: a faster writer, without statistics
  unsigned threads = 1;    // 0: one per core; the bytes do not depend on it
  std::vector<std::pair<std::string, std::string>> metadata{};  // key-value metadata of the file
};

// Writes a table in batches, as Parquet or CSV. The bytes depend on the columns, the values and
// the options alone: not on how the rows were cut into batches, not on clock or machine. Memory is
// bounded: a row group is written out when it is full.
//
// A writer that is destroyed before close() succeeded removes its file.
class TableWriter {
 public:
  static Result<TableWriter> create(const std::filesystem::path& path,
                                    std::vector<OutputColumn> columns, WriterOptions options = {});
  TableWriter(TableWriter&&) noexcept;
  TableWriter& operator=(TableWriter&&) noexcept;
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  ~TableWriter();

  // Requires one slice per column, all of one length, of the column's kind; codes below the number
  // of categories; nulls only where the column is nullable. Text must be UTF-8.
  Status write(std::span<const OutputSlice> columns);

  // Writes what is left; call once. After an error the file is gone.
  Status close();

  class Sink;  // where rows go; known to the source files only

 private:
  explicit TableWriter(std::unique_ptr<Sink> sink);
  std::unique_ptr<Sink> sink_;
};

}  // namespace privpfc
