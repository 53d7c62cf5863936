#pragma once

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/writer.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace privpfc::testing {

using Field = std::pair<std::string, std::shared_ptr<arrow::Array>>;

// Writes columns with Arrow itself, as other programs do.
inline std::filesystem::path write_parquet(
    const std::filesystem::path& path, const std::vector<Field>& fields,
    parquet::Compression::type codec = parquet::Compression::UNCOMPRESSED,
    std::int64_t group_rows = 1 << 20, bool use_dictionary = true) {
  arrow::FieldVector schema;
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (const auto& [name, array] : fields) {
    schema.push_back(arrow::field(name, array->type(), array->null_count() > 0));
    arrays.push_back(array);
  }
  const auto table = arrow::Table::Make(arrow::schema(schema), arrays);
  const auto file = arrow::io::FileOutputStream::Open(path.string()).ValueOrDie();
  auto properties = parquet::WriterProperties::Builder();
  properties.compression(codec);
  if (!use_dictionary) properties.disable_dictionary();
  auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  const auto status = parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file,
                                                 group_rows, properties.build(), arrow_properties);
  if (!status.ok() || !file->Close().ok()) throw std::runtime_error(status.ToString());
  return path;
}

// An array from values, one builder type for all; `std::nullopt` is null.
template <typename Builder, typename Value>
std::shared_ptr<arrow::Array> array_of(std::vector<std::optional<Value>> values,
                                       std::shared_ptr<arrow::DataType> type = nullptr) {
  if constexpr (std::is_default_constructible_v<Builder>) {
    if (type == nullptr) type = Builder().type();
  }
  const auto owned = arrow::MakeBuilder(type).ValueOrDie();
  auto& builder = static_cast<Builder&>(*owned);
  for (const auto& value : values) {
    const auto status = value ? builder.Append(*value) : builder.AppendNull();
    if (!status.ok()) throw std::runtime_error(status.ToString());
  }
  return builder.Finish().ValueOrDie();
}

inline std::shared_ptr<arrow::Array> texts(std::vector<std::optional<std::string>> values) {
  return array_of<arrow::StringBuilder, std::string>(std::move(values));
}

}  // namespace privpfc::testing
