#include "privpfc/table/encoder.h"

#include <algorithm>

#include "privpfc/base/shown_text.h"
#include "privpfc/schema/unit.h"
#include "privpfc/table/column_match.h"

namespace privpfc {

namespace {

constexpr std::size_t kNarrowLeaves = 256;

const char* plural_of(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger:
    case ColumnType::kReal:
      return "numbers";
    case ColumnType::kBoolean:
      return "booleans";
    case ColumnType::kDate:
      return "dates";
    case ColumnType::kText:
      return "texts";
    case ColumnType::kNull:
      return "nulls";
  }
  return "";
}

// A type is public, unlike a value: what can never be right is refused before any row is read.
bool can_hold(ColumnType type, AttributeKind kind) {
  const bool is_date = type == ColumnType::kDate;
  const bool is_number =
      type == ColumnType::kInteger || type == ColumnType::kReal || type == ColumnType::kBoolean;
  if (kind == AttributeKind::kDate) return !is_number;
  if (kind == AttributeKind::kInteger || kind == AttributeKind::kReal) return !is_date;
  return true;
}

Status check_types(const InputColumn& column, AttributeKind kind) {
  std::vector<ColumnType> types = column.other_types;
  types.push_back(column.type);
  for (const ColumnType type : types) {
    if (can_hold(type, kind)) continue;
    return make_error(ErrorKind::kData,
                      "column '{}' holds {}, but the schema declares its type as {}",
                      shown_text(column.name), plural_of(type), kind_name(kind));
  }
  return {};
}

// Where the codes of one column go, with or without notes.
template <typename Code>
struct Output {
  Code* codes;
  Note* notes;  // may be null

  void set(std::size_t row, Coded coded) const {
    codes[row] = static_cast<Code>(coded.code);
    if (notes != nullptr) notes[row] = coded.note;
  }
};

// One loop per type of column, so that each is small enough for the compiler to make it fast.
template <typename Coder, typename Code>
class ColumnEncoding {
 public:
  ColumnEncoding(const Coder& coder, const ColumnView& column, Output<Code> output)
      : coder_(coder), column_(column), output_(output) {}

  void run() const {
    std::visit(*this, column_.values);
    if (column_.validity.has_nulls()) set_nulls(column_.validity);
  }

  void operator()(AllNull) const {
    for_each_row([&](std::size_t) { return coder_.missing(); });
  }
  template <typename Number>
  void operator()(std::span<const Number> values) const {
    for_each_row([&](std::size_t row) { return coder_.of(widened(values[row])); });
  }
  void operator()(std::span<const std::string_view> texts) const {
    for_each_row([&](std::size_t row) { return coder_.of(texts[row]); });
  }
  void operator()(BooleanView values) const {
    for_each_row([&](std::size_t row) { return coder_.of(values[row]); });
  }
  void operator()(DaysView values) const {
    for_each_row([&](std::size_t row) { return coder_.of_days(values.days[row]); });
  }

  // Each value of the dictionary is looked at once, however many rows have it. A dictionary that is
  // larger than the batch is mostly not used: then only what occurs is looked at.
  void operator()(DictionaryView dictionary) const {
    const std::size_t size = dictionary.values->rows;
    if (size <= column_.rows) {
      const std::vector<Coded> by_index = code_all(*dictionary.values);
      for_each_row([&](std::size_t row) { return at(by_index, dictionary.indices[row]); });
      return;
    }
    for_each_row([&](std::size_t row) {
      const auto index = static_cast<std::uint32_t>(dictionary.indices[row]);
      if (index >= size || column_.validity.is_null(row)) return coder_.missing();
      return code_one(*dictionary.values, index);
    });
  }

 private:
  template <typename CodeOf>
  void for_each_row(CodeOf code_of) const {
    if (output_.notes == nullptr) {
      for (std::size_t row = 0; row < column_.rows; ++row) {
        output_.codes[row] = static_cast<Code>(code_of(row).code);
      }
    } else {
      for (std::size_t row = 0; row < column_.rows; ++row) output_.set(row, code_of(row));
    }
  }

  void set_nulls(const Validity& validity) const {
    for (std::size_t row = 0; row < column_.rows;) {
      const std::size_t bit = validity.offset + row;
      if (bit % 8 == 0 && validity.bits[bit / 8] == 0xFF) {  // most rows have values
        row += 8;
        continue;
      }
      if (validity.is_null(row)) output_.set(row, coder_.missing());
      ++row;
    }
  }

  template <typename Number>
  static auto widened(Number value) {
    if constexpr (std::is_floating_point_v<Number>) {
      return static_cast<double>(value);
    } else if constexpr (std::is_same_v<Number, std::uint64_t>) {
      return value;
    } else {
      return static_cast<std::int64_t>(value);
    }
  }

  // The index of a null row is unspecified; its code is set afterwards.
  Coded at(const std::vector<Coded>& by_index, std::int32_t index) const {
    const auto i = static_cast<std::uint32_t>(index);
    return i < by_index.size() ? by_index[i] : coder_.missing();
  }

  std::vector<Coded> code_all(const ColumnView& values) const {
    std::vector<std::uint16_t> codes(values.rows);
    std::vector<Note> notes(values.rows);
    ColumnEncoding<Coder, std::uint16_t>(coder_, values, {codes.data(), notes.data()}).run();
    std::vector<Coded> by_index(values.rows);
    for (std::size_t i = 0; i < values.rows; ++i) by_index[i] = {codes[i], notes[i]};
    return by_index;
  }

  Coded code_one(const ColumnView& values, std::size_t index) const {
    if (const auto* texts = std::get_if<std::span<const std::string_view>>(&values.values)) {
      return values.validity.is_null(index) ? coder_.missing() : coder_.of((*texts)[index]);
    }
    return code_all(values)[index];  // no reader makes large dictionaries of anything but text
  }

  const Coder& coder_;
  const ColumnView& column_;
  const Output<Code> output_;
};

template <typename Code, typename Coder>
void encode_column(const Coder& coder, const ColumnView& column, std::vector<Code>& codes,
                   Note* notes) {
  codes.resize(column.rows);
  ColumnEncoding<Coder, Code>(coder, column, {codes.data(), notes}).run();
}

}  // namespace

Result<Encoder> Encoder::create(const Schema& schema, std::span<const InputColumn> columns,
                                const EncoderOptions& options) {
  const ColumnMatch match = match_columns(
      schema, columns, {options.needs_label, options.caps_persons, options.attributes});
  PRIVPFC_TRY(check_columns(match, options.ignore_extra_columns, options.allowed_columns));
  Encoder encoder;
  encoder.attribute_count_ = schema.attributes.size();
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    const Attribute& attribute = schema.attributes[i];
    const bool wanted =
        !options.attributes || std::ranges::count(*options.attributes, AttributeIndex(i)) > 0;
    if (!attribute.used || !wanted) continue;
    const std::size_t position = *match.attributes[i];
    PRIVPFC_TRY(check_types(columns[position], attribute.kind));
    encoder.input_columns_.push_back(position);
    encoder.input_attributes_.push_back(AttributeIndex(i));
    encoder.is_wide_.push_back(attribute.hierarchy.leaf_count() > kNarrowLeaves);
    encoder.coders_.push_back(is_numeric(attribute.kind) ? Coder(NumberCoder(attribute))
                                                         : Coder(CategoryCoder(attribute)));
  }
  if (options.needs_label) {
    encoder.input_columns_.push_back(*match.label);
    encoder.input_attributes_.push_back(std::nullopt);
    encoder.is_wide_.push_back(false);
    encoder.coders_.push_back(CategoryCoder(schema.label));
  }
  if (options.caps_persons && schema.person) {
    encoder.input_columns_.push_back(*match.person);
    encoder.most_rows_of_a_person_ = schema.person->most_rows;
  }
  return encoder;
}

PersonKeys Encoder::persons(const Batch& batch) const {
  require(most_rows_of_a_person_ && batch.columns.size() == input_columns_.size(),
          "the column of a declared person");
  return person_keys(batch.columns.back());
}

EncodedBatch Encoder::encode(const Batch& batch, BatchNotes* notes) const {
  require(batch.columns.size() == input_columns_.size(), "the encoder's input columns");
  EncodedBatch encoded;
  encoded.rows = batch.rows;
  encoded.codes.resize(attribute_count_);
  if (notes != nullptr) notes->assign(coders_.size(), std::vector<Note>(batch.rows));
  for (std::size_t i = 0; i < coders_.size(); ++i) {
    const ColumnView& column = batch.columns[i];
    require(column.rows == batch.rows, "columns of one length");
    Note* column_notes = notes == nullptr ? nullptr : (*notes)[i].data();
    std::visit(
        [&](const auto& coder) {
          if (!input_attributes_[i]) {
            encode_column(coder, column, encoded.classes, column_notes);
            return;
          }
          Codes& codes = encoded.codes[input_attributes_[i]->value()];
          if (is_wide_[i]) {
            encode_column(coder, column, codes.emplace<1>(), column_notes);
          } else {
            encode_column(coder, column, codes.emplace<0>(), column_notes);
          }
        },
        coders_[i]);
  }
  return encoded;
}

Status encode_rows(TableReader& reader, const Encoder& encoder, unsigned threads,
                   const EncodedSink& sink) {
  std::optional<PersonCap> cap;
  if (const auto most_rows = encoder.most_rows_of_a_person()) cap.emplace(*most_rows);
  return reader.read(
      encoder.input_columns(), threads, [&](const Batch& batch) -> TableReader::Turn {
        // A std::function is copied, a batch should not be.
        auto encoded = std::make_shared<EncodedBatch>(encoder.encode(batch));
        if (!cap) return [&sink, encoded](const RowPosition&) { return sink(std::move(*encoded)); };
        auto persons = std::make_shared<const PersonKeys>(encoder.persons(batch));
        return [&sink, &cap, encoded, persons](const RowPosition&) {
          keep_rows(*encoded, cap->keep(*persons));
          return sink(std::move(*encoded));
        };
      });
}

Result<EncodedTable> encode_table(TableReader& reader, const Encoder& encoder, unsigned threads) {
  EncodedTable table;
  PRIVPFC_TRY(encode_rows(reader, encoder, threads, [&](EncodedBatch batch) -> Status {
    table.append(std::move(batch));
    return {};
  }));
  return table;
}

}  // namespace privpfc
