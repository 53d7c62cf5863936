#pragma once

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/properties.h>

#include "privpfc/io/writer_sink.h"

namespace privpfc {

// What the two writers of Parquet have in common.

// Lets Arrow write to an OutputFile and keeps our own error message, which names the file.
class FileStream final : public arrow::io::OutputStream {
 public:
  explicit FileStream(OutputFile file) : file_(std::move(file)) {}

  arrow::Status Write(const void* data, std::int64_t size) override {
    if (error_.ok()) error_ = file_.write(data, static_cast<std::size_t>(size));
    return error_.ok() ? arrow::Status::OK() : arrow::Status::IOError("write failed");
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<std::int64_t> Tell() const override {
    return static_cast<std::int64_t>(file_.size());
  }

  OutputFile& file() { return file_; }
  const Status& error() const { return error_; }
  std::string path() const { return file_.path().string(); }

 private:
  OutputFile file_;
  Status error_;
  bool closed_ = false;
};

std::shared_ptr<arrow::DataType> arrow_type(const OutputColumn& column);

// With the options' metadata. As the schema's it reaches both the file's key-value pairs and the
// stored schema.
std::shared_ptr<arrow::Schema> arrow_schema(const std::vector<OutputColumn>& columns,
                                            const WriterOptions& options);

parquet::Compression::type parquet_codec(Compression compression);

// Arrow's own text may quote what was being written.
Status write_failed(const FileStream& stream, const arrow::Status& status);

}  // namespace privpfc
