// Arrow's writer builds the dictionary of a column by looking up every value, and packs codes one
// by one. Where rows come as codes of a list that is known beforehand, neither is needed: the list
// is the dictionary, and the codes are packed eight at a time. Arrow's library still writes what
// the format calls headers and metadata.

#include <arrow/ipc/writer.h>
#include <arrow/util/base64.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/schema.h>
#include <parquet/column_page.h>
#include <parquet/column_writer.h>
#include <parquet/exception.h>
#include <parquet/file_writer.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <cstring>

#include "privpfc/base/parallel.h"
#include "privpfc/io/packed_pages.h"
#include "privpfc/io/parquet_file.h"

namespace privpfc {
namespace {

using Kind = OutputColumn::Kind;
using Bytes = std::vector<std::uint8_t>;

// A row group is full at this many rows, or values; a page holds this many rows.
constexpr std::size_t kPackedGroupRows = 1U << 20;
constexpr std::size_t kPackedGroupValues = 1U << 24;
constexpr std::size_t kPageRows = 1U << 16;

std::size_t dictionary_size(const OutputColumn& column) {
  return column.kind == Kind::kCategory ? column.categories.size() : column.numbers.size();
}

template <typename Number>
void append_plain(Number number, Bytes& bytes) {
  const std::size_t end = bytes.size();
  bytes.resize(end + sizeof number);
  std::memcpy(bytes.data() + end, &number, sizeof number);
}

// The dictionary as the format wants it: values one after the other, texts with their length.
Bytes dictionary_bytes(const OutputColumn& column) {
  Bytes bytes;
  for (const std::string& category : column.categories) {
    append_plain(static_cast<std::uint32_t>(category.size()), bytes);
    bytes.insert(bytes.end(), category.begin(), category.end());
  }
  for (const double number : column.numbers) {
    if (column.kind == Kind::kInteger) append_plain(static_cast<std::int64_t>(number), bytes);
    if (column.kind == Kind::kDate) append_plain(static_cast<std::int32_t>(number), bytes);
    if (column.kind == Kind::kReal) append_plain(number, bytes);
  }
  return bytes;
}

// The rows of the next row group in one column, and its finished pages.
struct Chunk {
  Bytes dictionary;
  std::vector<std::uint16_t> codes;
  Bytes valid;  // nullable columns only
  struct Page {
    Bytes bytes;  // compressed
    std::size_t rows = 0;
    std::size_t plain_size = 0;
  };
  std::vector<Page> pages;
};

std::shared_ptr<arrow::Buffer> wrap(const Bytes& bytes) {
  return std::make_shared<arrow::Buffer>(bytes.data(), static_cast<std::int64_t>(bytes.size()));
}

class PackedSink final : public TableWriter::Sink {
 public:
  PackedSink(OutputFile file, std::vector<OutputColumn> columns, WriterOptions options)
      : Sink(std::move(columns), std::move(options)),
        stream_(std::make_shared<FileStream>(std::move(file))),
        group_rows_(std::clamp<std::size_t>(kPackedGroupValues / this->columns().size(), 1,
                                            kPackedGroupRows)) {
    for (const OutputColumn& column : this->columns()) {
      chunks_.push_back({dictionary_bytes(column), {}, {}, {}});
    }
  }

  Status open() {
    return guarded([&]() -> arrow::Status {
      schema_ = arrow_schema(columns(), options());
      parquet::WriterProperties::Builder properties;
      properties.compression(parquet_codec(options().compression))->disable_statistics();
      properties_ = properties.build();
      ARROW_RETURN_NOT_OK(
          parquet::arrow::ToParquetSchema(schema_.get(), *properties_, &parquet_schema_));
      metadata_ = parquet::FileMetaDataBuilder::Make(parquet_schema_.get(), properties_);
      return stream_->Write("PAR1", 4);
    });
  }

  Status write(std::span<const OutputSlice> slices, std::size_t rows) override {
    for (std::size_t first = 0; first < rows;) {
      const std::size_t count = std::min(rows - first, group_rows_ - rows_);
      for (std::size_t i = 0; i < slices.size(); ++i) append(i, slices[i], first, count);
      rows_ += count;
      first += count;
      if (rows_ == group_rows_) PRIVPFC_TRY(flush());
    }
    return {};
  }

  Status close() override {
    if (rows_ > 0) PRIVPFC_TRY(flush());
    PRIVPFC_TRY(guarded([&]() -> arrow::Status {
      ARROW_ASSIGN_OR_RAISE(const auto stored, arrow::ipc::SerializeSchema(*schema_));
      auto pairs = schema_->metadata() != nullptr ? schema_->metadata()->Copy()
                                                  : std::make_shared<arrow::KeyValueMetadata>();
      pairs->Append("ARROW:schema", arrow::util::base64_encode(std::string_view(*stored)));
      const auto metadata = metadata_->Finish(pairs);
      parquet::WriteFileMetaData(*metadata, stream_.get());
      return arrow::Status::OK();
    }));
    if (!stream_->error().ok()) return stream_->error();
    return keep(stream_->file());
  }

 private:
  void append(std::size_t i, const OutputSlice& slice, std::size_t first, std::size_t count) {
    Chunk& chunk = chunks_[i];
    const auto begin = static_cast<std::ptrdiff_t>(first);
    const auto end = static_cast<std::ptrdiff_t>(first + count);
    if (const auto* bytes = std::get_if<std::span<const std::uint8_t>>(&slice.values)) {
      chunk.codes.insert(chunk.codes.end(), bytes->begin() + begin, bytes->begin() + end);
    } else {
      const auto codes = std::get<std::span<const std::uint16_t>>(slice.values);
      chunk.codes.insert(chunk.codes.end(), codes.begin() + begin, codes.begin() + end);
    }
    if (!columns()[i].nullable) return;
    if (slice.valid.empty()) {
      chunk.valid.insert(chunk.valid.end(), count, 1);
    } else {
      chunk.valid.insert(chunk.valid.end(), slice.valid.begin() + begin, slice.valid.begin() + end);
    }
  }

  // Packs and compresses every page, the pages of all columns side by side; then writes them.
  Status flush() {
    const std::size_t pages = (rows_ + kPageRows - 1) / kPageRows;
    for (Chunk& chunk : chunks_) chunk.pages.resize(pages);
    std::vector<arrow::Status> outcomes(pages * chunks_.size());
    run_pieces(outcomes.size(), options().threads, [&](std::size_t piece) {
      outcomes[piece] = fill_page(piece / pages, piece % pages);
    });
    for (const arrow::Status& outcome : outcomes) {
      if (!outcome.ok()) return write_failed(*stream_, outcome);
    }
    return guarded([&]() -> arrow::Status { return write_group(); });
  }

  arrow::Status fill_page(std::size_t column, std::size_t number) {
    Chunk& chunk = chunks_[column];
    Chunk::Page& page = chunk.pages[number];
    const std::size_t first = number * kPageRows;
    page.rows = std::min(kPageRows, rows_ - first);
    const auto codes = std::span<const std::uint16_t>(chunk.codes).subspan(first, page.rows);
    std::span<const std::uint8_t> valid(chunk.valid);
    if (!valid.empty()) valid = valid.subspan(first, page.rows);
    if (columns()[column].kind == Kind::kBoolean) {
      fill_boolean_page(codes, valid, page.bytes);
    } else {
      fill_code_page(codes, valid, dictionary_size(columns()[column]), page.bytes);
    }
    page.plain_size = page.bytes.size();
    const auto codec_type = parquet_codec(options().compression);
    if (codec_type == parquet::Compression::UNCOMPRESSED) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto codec, arrow::util::Codec::Create(codec_type));
    const auto size = static_cast<std::int64_t>(page.bytes.size());
    Bytes compressed(static_cast<std::size_t>(codec->MaxCompressedLen(size, page.bytes.data())));
    ARROW_ASSIGN_OR_RAISE(
        const std::int64_t written,
        codec->Compress(size, page.bytes.data(), static_cast<std::int64_t>(compressed.size()),
                        compressed.data()));
    page.bytes.assign(compressed.begin(), compressed.begin() + written);
    return arrow::Status::OK();
  }

  arrow::Status write_group() {
    parquet::RowGroupMetaDataBuilder* const group = metadata_->AppendRowGroup();
    group->set_num_rows(static_cast<std::int64_t>(rows_));
    std::int64_t plain_bytes = 0;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      Chunk& chunk = chunks_[i];
      const bool has_dictionary = columns()[i].kind != Kind::kBoolean;
      const auto pages = parquet::PageWriter::Open(stream_, parquet_codec(options().compression),
                                                   group->NextColumnChunk());
      if (has_dictionary) {
        plain_bytes += pages->WriteDictionaryPage(parquet::DictionaryPage(
            wrap(chunk.dictionary), static_cast<std::int32_t>(dictionary_size(columns()[i])),
            parquet::Encoding::PLAIN));
      }
      for (const Chunk::Page& page : chunk.pages) {
        plain_bytes += pages->WriteDataPage(parquet::DataPageV1(
            wrap(page.bytes), static_cast<std::int32_t>(page.rows),
            has_dictionary ? parquet::Encoding::RLE_DICTIONARY : parquet::Encoding::PLAIN,
            parquet::Encoding::RLE, parquet::Encoding::RLE,
            static_cast<std::int64_t>(page.plain_size)));
      }
      pages->Close(has_dictionary, /*fallback=*/false);
      chunk.codes.clear();
      chunk.valid.clear();
    }
    group->Finish(plain_bytes);
    rows_ = 0;
    return arrow::Status::OK();
  }

  // The library's lower level throws.
  template <typename Work>
  Status guarded(const Work& work) const {
    try {
      const arrow::Status status = work();
      return status.ok() ? Status() : write_failed(*stream_, status);
    } catch (const parquet::ParquetException&) {
      return write_failed(*stream_, arrow::Status::IOError(""));
    }
  }

  std::shared_ptr<FileStream> stream_;
  const std::size_t group_rows_;
  std::vector<Chunk> chunks_;  // by column
  std::size_t rows_ = 0;       // in the row group that is being filled
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<parquet::WriterProperties> properties_;
  std::shared_ptr<parquet::SchemaDescriptor> parquet_schema_;
  std::unique_ptr<parquet::FileMetaDataBuilder> metadata_;
};

}  // namespace

Result<std::unique_ptr<TableWriter::Sink>> make_packed_sink(OutputFile file,
                                                            std::vector<OutputColumn> columns,
                                                            WriterOptions options) {
  auto sink = std::make_unique<PackedSink>(std::move(file), std::move(columns), std::move(options));
  PRIVPFC_TRY(sink->open());
  return std::unique_ptr<TableWriter::Sink>(std::move(sink));
}

}  // namespace privpfc
