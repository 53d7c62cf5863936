#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_set>

#include "privpfc/base/shown_text.h"
#include "privpfc/base/utf8.h"
#include "privpfc/io/array_view.h"
#include "privpfc/io/input_file.h"
#include "privpfc/io/input_source.h"
#include "privpfc/io/parquet_footer.h"

namespace privpfc {

namespace {

// Rows per batch, such that a batch of many columns stays small too.
constexpr std::size_t kBatchRows = std::size_t{1} << 16;
constexpr std::size_t kBatchValues = std::size_t{1} << 20;
constexpr std::int64_t kStreamBuffer = std::int64_t{1} << 16;

constexpr std::string_view kBadFooter =
    "has a footer that cannot be read: the file is damaged or cut short";

class ParquetBatch final : public RawBatch {
 public:
  explicit ParquetBatch(std::shared_ptr<arrow::RecordBatch> batch) : batch_(std::move(batch)) {}

  DecodedBatch decode() override {
    Batch result;
    result.rows = static_cast<std::size_t>(batch_->num_rows());
    for (int i = 0; i < batch_->num_columns(); ++i) {
      const auto view = view_of(batch_->column(i), result.memory);
      if (!view || view->rows != result.rows) {
        return BatchError{ErrorKind::kData,
                          fmt::format("column '{}' is damaged (an index points outside its "
                                      "dictionary); write the file again",
                                      shown_text(batch_->schema()->field(i)->name()))};
      }
      result.columns.push_back(*view);
    }
    return result;
  }

 private:
  std::shared_ptr<arrow::RecordBatch> batch_;
};

class ParquetSource final : public InputSource {
 public:
  ParquetSource(std::string path, const ReaderLimits& limits, std::shared_ptr<CappedPool> pool)
      : path_(std::move(path)), limits_(limits), pool_(std::move(pool)) {}

  Status open(InputFile file) {
    PRIVPFC_TRY(check_frame(file));
    auto opened = arrow::io::ReadableFile::Open(file.release(), pool_.get());
    if (!opened.ok()) return damaged("cannot be read");
    file_ = *opened;
    parquet::ReaderProperties properties = reader_properties();
    try {
      metadata_ = parquet::ParquetFileReader::Open(file_, properties)->metadata();
    } catch (const std::exception&) {
      return failed(kBadFooter);
    }
    if (metadata_->is_encryption_algorithm_set()) return encrypted();
    const std::int64_t rows = metadata_->num_rows();
    if (rows >= 0 && static_cast<std::uint64_t>(rows) > limits_.rows) {
      return make_error(ErrorKind::kLimit, "{} has more than {} rows", path_, limits_.rows);
    }
    return name_columns();
  }

  const std::vector<InputColumn>& columns() const override { return columns_; }

  Status select(std::span<const std::size_t> columns, bool use_threads) override {
    for (const std::size_t column : columns) {
      if (!refusals_[column].empty()) {
        return make_error(ErrorKind::kData, "{}: column '{}' {}", path_,
                          shown_text(columns_[column].name), refusals_[column]);
      }
      leaves_.push_back(leaf_of_[column]);
    }
    PRIVPFC_TRY(check_groups());
    return open_reader(columns.size(), use_threads);
  }

  Result<std::unique_ptr<RawBatch>> fetch() override {
    try {
      while (true) {
        if (batches_ == nullptr) {
          if (group_ == metadata_->num_row_groups()) return std::unique_ptr<RawBatch>();
          const int group = group_++;
          group_rows_left_ = metadata_->RowGroup(group)->num_rows();
          if (!pages_agree(group)) return false_count();
          auto batches = reader_->GetRecordBatchReader({group}, leaves_);
          if (!batches.ok()) return unreadable();
          batches_ = std::move(*batches);
        }
        std::shared_ptr<arrow::RecordBatch> batch;
        if (!batches_->ReadNext(&batch).ok()) return unreadable();
        if (batch == nullptr) {
          batches_.reset();
          if (group_rows_left_ != 0) return false_count();
          continue;
        }
        if (!batch->Validate().ok()) return unreadable();
        group_rows_left_ -= batch->num_rows();
        if (group_rows_left_ < 0) return false_count();
        return std::unique_ptr<RawBatch>(std::make_unique<ParquetBatch>(std::move(batch)));
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      return unreadable();
    }
  }

 private:
  Error damaged(std::string_view what) const {
    return make_error(ErrorKind::kData, "{} {}", path_, what);
  }
  // Whatever Arrow says stays unsaid: its messages may quote cells.
  Error failed(std::string_view what) const {
    if (!pool_->was_exceeded()) return damaged(what);
    return make_error(ErrorKind::kLimit,
                      "reading {} takes more than {} MiB of memory; write it again with smaller "
                      "pages and row groups",
                      path_, limits_.memory >> 20);
  }
  Error encrypted() const { return damaged("is encrypted; decrypt it first"); }
  Error unreadable() const {
    return failed(fmt::format("is damaged: row group {} cannot be read", group_));
  }
  Error false_count() const {
    return damaged(
        fmt::format("is damaged: row group {} does not have the number of rows it claims", group_));
  }

  parquet::ReaderProperties reader_properties() const {
    parquet::ReaderProperties properties(pool_.get());
    properties.enable_buffered_stream();  // otherwise a whole column chunk is held in memory
    properties.set_buffer_size(kStreamBuffer);
    return properties;
  }

  // What can be told from the first and last bytes, so that each case has its own message.
  Status check_frame(InputFile& file) const {
    constexpr std::uint64_t kFrame = 12;  // magic, length of the footer, magic
    if (file.size() == 0) return damaged("is empty");
    if (file.size() < kFrame) return damaged("is too short to be a Parquet file");
    char head[4];
    PRIVPFC_ASSIGN(std::size_t got, file.read(head, sizeof head));
    char tail[8];
    PRIVPFC_ASSIGN(const std::size_t tail_got, file.read_at(file.size() - 8, tail, sizeof tail));
    if (got != sizeof head || tail_got != sizeof tail) return damaged("was cut while it was read");
    if (std::memcmp(tail + 4, "PARE", 4) == 0) return encrypted();
    if (std::memcmp(head, "PAR1", 4) != 0) {
      return damaged("is not a Parquet file: it does not start like one");
    }
    if (std::memcmp(tail + 4, "PAR1", 4) != 0) {
      return damaged("is cut short: it does not end like a Parquet file");
    }
    std::uint32_t footer = 0;
    for (int i = 3; i >= 0; --i) footer = footer << 8 | static_cast<unsigned char>(tail[i]);
    if (footer > file.size() - kFrame) {
      return damaged(kBadFooter);
    }
    if (footer > limits_.footer_bytes) {
      return make_error(ErrorKind::kLimit, "{} has a footer of more than {} MiB", path_,
                        limits_.footer_bytes >> 20);
    }
    return check_nesting(file, footer);
  }

  // Nested columns are refused where somebody asks for them. What is nested without measure would
  // end the program before anybody could.
  Status check_nesting(const InputFile& file, std::size_t footer_size) const {
    constexpr std::size_t kMostNesting = 100;
    std::string footer(footer_size, '\0');
    PRIVPFC_ASSIGN(const std::size_t got,
                   file.read_at(file.size() - 8 - footer_size, footer.data(), footer_size));
    if (got != footer_size) return damaged("was cut while it was read");
    const std::optional<std::size_t> depth = nesting_depth(footer);
    if (!depth) return damaged(kBadFooter);
    if (*depth <= kMostNesting) return {};
    return make_error(ErrorKind::kLimit,
                      "{} has columns that are nested {} deep; at most {} can be read past", path_,
                      *depth, kMostNesting);
  }

  Status name_columns() {
    const parquet::SchemaDescriptor* schema = metadata_->schema();
    const parquet::schema::GroupNode* root = schema->group_node();
    if (static_cast<std::size_t>(root->field_count()) > limits_.columns ||
        static_cast<std::size_t>(schema->num_columns()) > limits_.columns) {
      return make_error(ErrorKind::kLimit, "{} has {} columns; at most {} can be read", path_,
                        schema->num_columns(), limits_.columns);
    }
    std::unordered_set<std::string_view> names;
    for (int i = 0; i < root->field_count(); ++i) {
      const std::string& name = root->field(i)->name();
      if (name.empty()) return damaged(fmt::format("has no name for column {}", i + 1));
      if (!is_valid_utf8(name)) {
        return damaged(fmt::format("has a name for column {} that is not UTF-8", i + 1));
      }
      if (!names.insert(name).second)
        return damaged(fmt::format("has two columns '{}'", shown_text(name)));
      columns_.push_back({.name = name, .type = ColumnType::kNull, .in_csv = false});
      leaf_of_.push_back(-1);
      refusals_.emplace_back("is nested; only flat columns can be read");
    }
    return name_types();
  }

  // Nested columns and types that cannot be read are an error only if somebody asks for them.
  Status name_types() {
    const parquet::SchemaDescriptor* schema = metadata_->schema();
    parquet::arrow::SchemaManifest manifest;
    try {
      if (!parquet::arrow::SchemaManifest::Make(schema, metadata_->key_value_metadata(),
                                                parquet::ArrowReaderProperties(), &manifest)
               .ok()) {
        return failed("has a schema that cannot be read");
      }
    } catch (const std::exception&) {
      return failed("has a schema that cannot be read");
    }
    if (manifest.schema_fields.size() != columns_.size()) {
      return failed("has a schema that cannot be read");
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const parquet::arrow::SchemaField& field = manifest.schema_fields[i];
      if (!field.is_leaf() || field.field->type()->num_fields() > 0 ||
          schema->Column(field.column_index)->max_repetition_level() > 0) {
        continue;
      }
      const std::optional<ColumnType> type = column_type(*field.field->type());
      refusals_[i] = type ? "" : "has a type that cannot be read";
      columns_[i].type = type.value_or(ColumnType::kNull);
      leaf_of_[i] = field.column_index;
    }
    return {};
  }

  Status check_groups() {
    std::int64_t rows = 0;
    for (int g = 0; g < metadata_->num_row_groups(); ++g) {
      try {
        const auto group = metadata_->RowGroup(g);
        const std::int64_t group_rows = group->num_rows();
        if (group_rows < 0 || __builtin_add_overflow(rows, group_rows, &rows)) {
          return damaged("is damaged: its row count is impossible");
        }
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
          PRIVPFC_TRY(check_chunk(*group->ColumnChunk(leaves_[i]), group_rows, g, leaves_[i]));
        }
      } catch (const std::exception&) {
        return failed(fmt::format("is damaged: row group {} cannot be read", g + 1));
      }
    }
    if (rows != metadata_->num_rows()) {
      return damaged("is damaged: its row groups do not have the number of rows that it claims");
    }
    return {};
  }

  // Whether Arrow took this chunk's codec, which it does not know, for none at all.
  bool is_codec_unknown(const parquet::ColumnChunkMetaData& chunk, int group, int leaf) {
    if (chunk.compression() != parquet::Compression::UNCOMPRESSED) return false;
    // Looked up only where somebody says that nothing is compressed, which is rare.
    if (!codec_numbers_) codec_numbers_ = codec_numbers(metadata_->SerializeToString());
    if (!codec_numbers_) return true;
    const auto g = static_cast<std::size_t>(group);
    const auto column = static_cast<std::size_t>(leaf);
    return g >= codec_numbers_->size() || column >= (*codec_numbers_)[g].size() ||
           (*codec_numbers_)[g][column] < 0 || (*codec_numbers_)[g][column] > kLastCodec;
  }

  Status check_chunk(const parquet::ColumnChunkMetaData& chunk, std::int64_t rows, int group,
                     int leaf) {
    const std::string name = shown_text(metadata_->schema()->Column(leaf)->name());
    if (chunk.crypto_metadata() != nullptr) return encrypted();
    const parquet::Compression::type codec = chunk.compression();
    if (is_codec_unknown(chunk, group, leaf) || !parquet::IsCodecSupported(codec) ||
        !arrow::util::Codec::IsAvailable(codec)) {
      return damaged(
          fmt::format("compresses column '{}' in a way that cannot be read; write it "
                      "with zstd, snappy or gzip",
                      name));
    }
    if (chunk.num_values() != rows) {
      return damaged(fmt::format(
          "is damaged: column '{}' does not have the number of rows that the file claims", name));
    }
    return {};
  }

  // Whether the pages of a row group hold as many rows as the footer says. Arrow would stop
  // after the footer's number without a word. Only page headers are looked at: the filter makes
  // the page reader pass over what follows them, and nothing is unpacked.
  bool pages_agree(int group_index) const {
    const auto group = metadata_->RowGroup(group_index);
    for (const int leaf : leaves_) {
      const auto chunk = group->ColumnChunk(leaf);
      // A chunk without rows may have no pages, and then has no place either.
      if (group->num_rows() == 0 && chunk->data_page_offset() <= 0) continue;
      std::int64_t start = chunk->data_page_offset();
      if (chunk->has_dictionary_page() && chunk->dictionary_page_offset() > 0) {
        start = std::min(start, chunk->dictionary_page_offset());
      }
      parquet::ReaderProperties properties = reader_properties();
      const auto pages = parquet::PageReader::Open(
          properties.GetStream(file_, start, chunk->total_compressed_size()),
          std::numeric_limits<std::int64_t>::max(), parquet::Compression::UNCOMPRESSED, properties,
          *metadata_->schema()->Column(leaf));
      std::int64_t values = 0;
      bool is_possible = true;
      pages->set_data_page_filter([&](const parquet::DataPageStats& page) {
        is_possible &= page.num_values >= 0;
        values += page.num_values;
        return true;
      });
      while (pages->NextPage() != nullptr) {
      }
      if (!is_possible || values != group->num_rows()) return false;
    }
    return true;
  }

  Status open_reader(std::size_t column_count, bool use_threads) {
    try {
      parquet::ArrowReaderProperties properties(use_threads);
      properties.set_pre_buffer(false);
      properties.set_batch_size(static_cast<std::int64_t>(std::clamp<std::size_t>(
          kBatchValues / std::max<std::size_t>(column_count, 1), 256, kBatchRows)));
      // As dictionaries, texts need to be looked up once per spelling and not once per row.
      for (const int leaf : leaves_) {
        if (metadata_->schema()->Column(leaf)->physical_type() == parquet::Type::BYTE_ARRAY) {
          properties.set_read_dictionary(leaf, true);
        }
      }
      auto reader = parquet::arrow::FileReader::Make(
          pool_.get(), parquet::ParquetFileReader::Open(file_, reader_properties(), metadata_),
          properties);
      if (!reader.ok()) return failed("has a schema that cannot be read");
      reader_ = std::move(*reader);
    } catch (const std::exception&) {
      return failed("has a schema that cannot be read");
    }
    return {};
  }

  const std::string path_;
  const ReaderLimits limits_;
  const std::shared_ptr<CappedPool> pool_;
  std::shared_ptr<arrow::io::ReadableFile> file_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<InputColumn> columns_;
  std::vector<int> leaf_of_;           // by column; -1 where it is nested
  std::vector<std::string> refusals_;  // by column; why it cannot be read, or empty

  std::optional<std::vector<std::vector<std::int64_t>>> codec_numbers_;  // where they are wanted

  std::vector<int> leaves_;  // the selection
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::unique_ptr<arrow::RecordBatchReader> batches_;  // of the current row group
  int group_ = 0;  // the next row group; in messages, the current one counted from 1
  std::int64_t group_rows_left_ = 0;
};

}  // namespace

Result<std::unique_ptr<InputSource>> open_parquet(const std::filesystem::path& path,
                                                  const ReaderLimits& limits,
                                                  std::shared_ptr<CappedPool> pool) {
  PRIVPFC_ASSIGN(InputFile file, InputFile::open(path));
  auto source = std::make_unique<ParquetSource>(path.string(), limits, std::move(pool));
  PRIVPFC_TRY(source->open(std::move(file)));
  return std::unique_ptr<InputSource>(std::move(source));
}

}  // namespace privpfc
