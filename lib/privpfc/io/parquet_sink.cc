#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/thread_pool.h>
#include <arrow/util/utf8.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

#include <algorithm>

#include "privpfc/base/parallel.h"
#include "privpfc/io/parquet_file.h"

namespace privpfc {

namespace {

using Kind = OutputColumn::Kind;

// A row group is full at this many rows, at this many values, or at this many bytes of text. The
// limits count rows and bytes, not batches, so the cut does not depend on the caller's batches.
constexpr std::size_t kGroupRows = 1U << 17;
constexpr std::size_t kGroupValues = 1U << 23;
constexpr std::size_t kGroupTextBytes = 1U << 26;

std::shared_ptr<arrow::Array> utf8_array(const std::vector<std::string>& texts) {
  arrow::StringBuilder builder;
  std::shared_ptr<arrow::Array> array;
  require(builder.AppendValues(texts).ok(), "a dictionary fits into memory");
  require(builder.Finish(&array).ok(), "a dictionary fits into memory");
  return array;
}

// The rows of the next row group, one Arrow builder per column.
class Group {
 public:
  explicit Group(const std::vector<OutputColumn>& columns) : columns_(columns) {
    for (const OutputColumn& column : columns) {
      const bool is_category = column.kind == Kind::kCategory;
      builders_.push_back(
          arrow::MakeBuilder(is_category ? arrow::int32() : arrow_type(column)).ValueOrDie());
      dictionaries_.push_back(is_category ? utf8_array(column.categories) : nullptr);
    }
  }

  std::size_t rows() const { return rows_; }

  // How many of `slices`' rows, from `first` on, still belong to this group; 0: it is full.
  std::size_t room(std::span<const OutputSlice> slices, std::size_t first, std::size_t rows) {
    const std::size_t limit =
        std::clamp<std::size_t>(kGroupValues / columns_.size(), 1, kGroupRows);
    std::size_t count = std::min(rows - first, limit - rows_);
    std::vector<std::span<const std::string>> texts;
    for (const OutputSlice& slice : slices) {
      if (const auto* text = std::get_if<std::span<const std::string>>(&slice.values)) {
        texts.push_back(*text);
      }
    }
    if (texts.empty()) return count;
    for (std::size_t i = 0; i < count; ++i) {
      if (text_bytes_ >= kGroupTextBytes) return i;
      for (const auto& text : texts) text_bytes_ += text[first + i].size();
    }
    return count;
  }

  arrow::Status append(std::span<const OutputSlice> slices, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < slices.size(); ++i) {
      ARROW_RETURN_NOT_OK(append_column(i, slices[i], first, count));
    }
    rows_ += count;
    return arrow::Status::OK();
  }

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> finish(std::shared_ptr<arrow::Schema> schema) {
    std::vector<std::shared_ptr<arrow::Array>> arrays;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(auto array, builders_[i]->Finish());
      if (dictionaries_[i] != nullptr) {
        // TableWriter has checked the codes.
        array = std::make_shared<arrow::DictionaryArray>(arrow_type(columns_[i]), array,
                                                         dictionaries_[i]);
      }
      arrays.push_back(std::move(array));
    }
    const auto rows = static_cast<std::int64_t>(rows_);
    rows_ = 0;
    text_bytes_ = 0;
    return arrow::RecordBatch::Make(std::move(schema), rows, std::move(arrays));
  }

 private:
  arrow::Status append_column(std::size_t i, const OutputSlice& slice, std::size_t first,
                              std::size_t count) {
    const std::uint8_t* valid = slice.valid.empty() ? nullptr : slice.valid.data() + first;
    const auto rows = static_cast<std::int64_t>(count);
    arrow::ArrayBuilder* builder = builders_[i].get();
    if (!columns_[i].numbers.empty()) return append_coded(i, slice, first, count);
    switch (columns_[i].kind) {
      case Kind::kInteger:
        return static_cast<arrow::Int64Builder*>(builder)->AppendValues(
            std::get<0>(slice.values).data() + first, rows, valid);
      case Kind::kReal:
        return static_cast<arrow::DoubleBuilder*>(builder)->AppendValues(
            std::get<1>(slice.values).data() + first, rows, valid);
      case Kind::kDate:
        return static_cast<arrow::Date32Builder*>(builder)->AppendValues(
            std::get<2>(slice.values).data() + first, rows, valid);
      case Kind::kBoolean:
        return static_cast<arrow::BooleanBuilder*>(builder)->AppendValues(
            std::get<3>(slice.values).data() + first, rows, valid);
      case Kind::kCategory: {
        codes_.assign(count, 0);
        std::visit(
            [&](const auto& values) {
              if constexpr (std::is_integral_v<std::decay_t<decltype(values[0])>>) {
                for (std::size_t row = 0; row < count; ++row) {
                  if (valid == nullptr || valid[row] != 0) {
                    codes_[row] = static_cast<std::int32_t>(values[first + row]);
                  }
                }
              }
            },
            slice.values);
        return static_cast<arrow::Int32Builder*>(builder)->AppendValues(codes_.data(), rows, valid);
      }
      case Kind::kText: {
        auto* texts = static_cast<arrow::StringBuilder*>(builder);
        for (std::size_t row = 0; row < count; ++row) {
          if (valid != nullptr && valid[row] == 0) {
            ARROW_RETURN_NOT_OK(texts->AppendNull());
            continue;
          }
          const std::string& text = std::get<5>(slice.values)[first + row];
          if (!arrow::util::ValidateUTF8(text)) return arrow::Status::Invalid("");
          ARROW_RETURN_NOT_OK(texts->Append(text));
        }
        return arrow::Status::OK();
      }
    }
    return arrow::Status::OK();
  }

  // Numbers that come as codes of a list.
  arrow::Status append_coded(std::size_t i, const OutputSlice& slice, std::size_t first,
                             std::size_t count) {
    const auto codes = std::get<std::span<const std::uint16_t>>(slice.values);
    const auto append = [&](auto* builder, auto zero) {
      for (std::size_t row = first; row < first + count; ++row) {
        if (!slice.valid.empty() && slice.valid[row] == 0) {
          ARROW_RETURN_NOT_OK(builder->AppendNull());
        } else {
          const double number = columns_[i].numbers[codes[row]];
          ARROW_RETURN_NOT_OK(builder->Append(static_cast<decltype(zero)>(number)));
        }
      }
      return arrow::Status::OK();
    };
    arrow::ArrayBuilder* builder = builders_[i].get();
    if (columns_[i].kind == Kind::kInteger) {
      return append(static_cast<arrow::Int64Builder*>(builder), std::int64_t{0});
    }
    if (columns_[i].kind == Kind::kDate) {
      return append(static_cast<arrow::Date32Builder*>(builder), std::int32_t{0});
    }
    return append(static_cast<arrow::DoubleBuilder*>(builder), double{0});
  }

  const std::vector<OutputColumn>& columns_;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders_;
  std::vector<std::shared_ptr<arrow::Array>> dictionaries_;  // null where there is none
  std::vector<std::int32_t> codes_;
  std::size_t rows_ = 0;
  std::size_t text_bytes_ = 0;
};

class ParquetSink final : public TableWriter::Sink {
 public:
  ParquetSink(OutputFile file, std::vector<OutputColumn> columns, WriterOptions options)
      : Sink(std::move(columns), std::move(options)),
        stream_(std::make_shared<FileStream>(std::move(file))),
        group_(this->columns()) {
    schema_ = arrow_schema(this->columns(), this->options());
  }

  Status open() {
    arrow::util::InitializeUTF8();
    // A dictionary is written whole or not at all: past this limit Arrow would switch to plain
    // text.
    constexpr std::int64_t kDictionaryBytes = std::int64_t{1} << 30;
    parquet::WriterProperties::Builder properties;
    properties.compression(parquet_codec(options().compression))
        ->dictionary_pagesize_limit(kDictionaryBytes);
    properties.max_row_group_length(static_cast<std::int64_t>(kGroupRows));
    if (!options().statistics) properties.disable_statistics();
    // The columns of a row group are written side by side, on Arrow's own threads.
    const auto threads = static_cast<int>(thread_count(options().threads));
    if (threads > 1 && arrow::GetCpuThreadPoolCapacity() != threads) {
      require(arrow::SetCpuThreadPoolCapacity(threads).ok(), "threads > 0");
    }
    parquet::ArrowWriterProperties::Builder arrow_properties;
    arrow_properties.store_schema();
    arrow_properties.set_use_threads(threads > 1);
    auto writer = parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(), stream_,
                                                   properties.build(), arrow_properties.build());
    if (!writer.ok()) return failed(writer.status());
    writer_ = std::move(writer).ValueOrDie();
    return {};
  }

  Status write(std::span<const OutputSlice> slices, std::size_t rows) override {
    std::size_t first = 0;
    while (first < rows) {
      const std::size_t count = group_.room(slices, first, rows);
      if (const auto status = group_.append(slices, first, count); !status.ok()) {
        return failed(status);
      }
      first += count;
      if (first < rows) PRIVPFC_TRY(flush());
    }
    return {};
  }

  Status close() override {
    if (group_.rows() > 0) PRIVPFC_TRY(flush());
    if (const auto status = writer_->Close(); !status.ok()) return failed(status);
    if (!stream_->error().ok()) return stream_->error();
    return keep(stream_->file());
  }

 private:
  Status flush() {
    auto rows = group_.finish(schema_);
    if (!rows.ok()) return failed(rows.status());
    if (const auto status = writer_->NewBufferedRowGroup(); !status.ok()) return failed(status);
    const auto status = writer_->WriteRecordBatch(**rows);
    return status.ok() ? Status() : failed(status);
  }

  Status failed(const arrow::Status& status) const { return write_failed(*stream_, status); }

  std::shared_ptr<FileStream> stream_;
  Group group_;
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

}  // namespace

Result<std::unique_ptr<TableWriter::Sink>> make_parquet_sink(OutputFile file,
                                                             std::vector<OutputColumn> columns,
                                                             WriterOptions options) {
  auto sink =
      std::make_unique<ParquetSink>(std::move(file), std::move(columns), std::move(options));
  PRIVPFC_TRY(sink->open());
  return std::unique_ptr<TableWriter::Sink>(std::move(sink));
}

}  // namespace privpfc
