#pragma once

#include <arrow/memory_pool.h>

#include <memory>
#include <optional>

#include "privpfc/io/capped_pool.h"
#include "privpfc/io/table_reader.h"

namespace privpfc {

// What is wrong with a batch, before the number of rows in front of it is known.
struct BatchError {
  ErrorKind kind = ErrorKind::kData;
  std::string what;
  std::optional<std::size_t> row{};  // in the batch, counted from 0
};

using DecodedBatch = std::variant<Batch, BatchError>;

// Bytes of a file that have been cut out but not yet looked at. Decoding may run on any thread.
class RawBatch {
 public:
  RawBatch() = default;
  virtual ~RawBatch() = default;
  RawBatch(const RawBatch&) = delete;
  RawBatch& operator=(const RawBatch&) = delete;
  virtual DecodedBatch decode() = 0;
};

// One file, read from its start to its end.
class InputSource {
 public:
  InputSource() = default;
  virtual ~InputSource() = default;
  InputSource(const InputSource&) = delete;
  InputSource& operator=(const InputSource&) = delete;

  // None where a file without a header has no rows either.
  virtual const std::vector<InputColumn>& columns() const = 0;
  // Once, before the first fetch().
  virtual Status select(std::span<const std::size_t> columns, bool use_threads) = 0;
  // The next batch, or null at the end of the file.
  virtual Result<std::unique_ptr<RawBatch>> fetch() = 0;
};

Result<std::unique_ptr<InputSource>> open_csv(const std::filesystem::path& path,
                                              const CsvFormat& format, const ReaderLimits& limits);
Result<std::unique_ptr<InputSource>> open_parquet(const std::filesystem::path& path,
                                                  const ReaderLimits& limits,
                                                  std::shared_ptr<CappedPool> pool);

}  // namespace privpfc
