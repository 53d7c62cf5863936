#include "privpfc/io/parquet_file.h"

namespace privpfc {

std::shared_ptr<arrow::DataType> arrow_type(const OutputColumn& column) {
  switch (column.kind) {
    case OutputColumn::Kind::kInteger:
      return arrow::int64();
    case OutputColumn::Kind::kReal:
      return arrow::float64();
    case OutputColumn::Kind::kDate:
      return arrow::date32();
    case OutputColumn::Kind::kBoolean:
      return arrow::boolean();
    case OutputColumn::Kind::kCategory:
      return arrow::dictionary(arrow::int32(), arrow::utf8(), column.ordered);
    case OutputColumn::Kind::kText:
      return arrow::utf8();
  }
  return arrow::null();
}

std::shared_ptr<arrow::Schema> arrow_schema(const std::vector<OutputColumn>& columns,
                                            const WriterOptions& options) {
  arrow::FieldVector fields;
  for (const OutputColumn& column : columns) {
    fields.push_back(arrow::field(column.name, arrow_type(column), column.nullable));
  }
  std::shared_ptr<arrow::KeyValueMetadata> metadata;
  if (!options.metadata.empty()) {
    metadata = std::make_shared<arrow::KeyValueMetadata>();
    for (const auto& [key, value] : options.metadata) metadata->Append(key, value);
  }
  return arrow::schema(std::move(fields), std::move(metadata));
}

parquet::Compression::type parquet_codec(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return parquet::Compression::UNCOMPRESSED;
    case Compression::kSnappy:
      return parquet::Compression::SNAPPY;
    case Compression::kZstd:
      return parquet::Compression::ZSTD;
  }
  return parquet::Compression::UNCOMPRESSED;
}

Status write_failed(const FileStream& stream, const arrow::Status& status) {
  if (!stream.error().ok()) return stream.error();
  if (status.IsOutOfMemory()) {
    return make_error(ErrorKind::kLimit, "out of memory while writing {}", stream.path());
  }
  return make_error(ErrorKind::kFailure, "cannot write {} as Parquet: {}", stream.path(),
                    status.IsInvalid() ? "a text is not UTF-8" : "the writer failed");
}

}  // namespace privpfc
