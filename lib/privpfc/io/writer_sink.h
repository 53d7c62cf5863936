#pragma once

#include "privpfc/io/output_file.h"
#include "privpfc/io/table_writer.h"

namespace privpfc {

// One file format. The slices it gets have been checked by TableWriter.
class TableWriter::Sink {
 public:
  Sink(std::vector<OutputColumn> columns, WriterOptions options)
      : columns_(std::move(columns)), options_(std::move(options)) {}
  virtual ~Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  virtual Status write(std::span<const OutputSlice> slices, std::size_t rows) = 0;
  virtual Status close() = 0;

  // The end of a file that went well.
  Status keep(OutputFile& file) const {
    if (options_.digest != nullptr) *options_.digest = file.digest();
    return file.keep(options_.sync);
  }

  const std::vector<OutputColumn>& columns() const { return columns_; }
  const WriterOptions& options() const { return options_; }

 private:
  std::vector<OutputColumn> columns_;
  WriterOptions options_;
};

Result<std::unique_ptr<TableWriter::Sink>> make_csv_sink(OutputFile file,
                                                         std::vector<OutputColumn> columns,
                                                         WriterOptions options);
// Parquet of columns that hold codes alone: written page by page, without looking at values.
Result<std::unique_ptr<TableWriter::Sink>> make_packed_sink(OutputFile file,
                                                            std::vector<OutputColumn> columns,
                                                            WriterOptions options);
Result<std::unique_ptr<TableWriter::Sink>> make_parquet_sink(OutputFile file,
                                                             std::vector<OutputColumn> columns,
                                                             WriterOptions options);

}  // namespace privpfc
