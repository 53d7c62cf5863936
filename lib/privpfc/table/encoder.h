#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/schema/schema.h"
#include "privpfc/table/category_coder.h"
#include "privpfc/table/encoded_table.h"
#include "privpfc/table/number_coder.h"
#include "privpfc/table/person_cap.h"

namespace privpfc {

struct EncoderOptions {
  bool ignore_extra_columns = false;
  std::vector<std::string> allowed_columns{};  // that the schema need not name (--fold-column)
  // Without it the label's column may be missing, is not read, and batches have no classes.
  bool needs_label = true;
  // Where the schema declares a person, at most so many rows of each are kept. Without it rows are
  // rows: the person's column is read past, and may be missing.
  bool caps_persons = true;
  // Only these are read, and only their columns must be there. None: every used attribute.
  std::optional<std::vector<AttributeIndex>> attributes{};
};

// What was noticed about each value of a batch: by input column of the encoder, then by row.
using BatchNotes = std::vector<std::vector<Note>>;

// Turns values into codes, as docs/schema.md says under "Where every value goes". Every value has a
// code: nothing in the data makes encoding fail.
class Encoder {
 public:
  // An error says which columns are missing, undeclared or of a type that cannot hold the
  // attribute.
  static Result<Encoder> create(const Schema& schema, std::span<const InputColumn> columns,
                                const EncoderOptions& options = {});

  // The positions to read: those of the used attributes in the order of the schema, then the
  // label's if it is needed, then the person's if persons are capped.
  const std::vector<std::size_t>& input_columns() const { return input_columns_; }
  // The attribute of each input column up to the label; none for the label.
  const std::vector<std::optional<AttributeIndex>>& input_attributes() const {
    return input_attributes_;
  }

  // How many rows of one person are kept; none where all are.
  std::optional<std::size_t> most_rows_of_a_person() const { return most_rows_of_a_person_; }
  // Whose rows these are. Requires that persons are capped.
  PersonKeys persons(const Batch& batch) const;

  // `batch` has the input columns; none of its rows is left out here. May be called on several
  // threads at once.
  EncodedBatch encode(const Batch& batch) const { return encode(batch, nullptr); }
  EncodedBatch encode(const Batch& batch, BatchNotes& notes) const { return encode(batch, &notes); }

 private:
  using Coder = std::variant<NumberCoder, CategoryCoder>;

  Encoder() = default;
  EncodedBatch encode(const Batch& batch, BatchNotes* notes) const;

  std::size_t attribute_count_ = 0;
  std::vector<std::size_t> input_columns_;
  std::vector<std::optional<AttributeIndex>> input_attributes_;
  std::vector<Coder> coders_;  // by input column
  std::vector<bool> is_wide_;  // by input column: two bytes per code
  std::optional<std::size_t> most_rows_of_a_person_;
};

// Reads all rows, leaves out those beyond a declared cap on a person's, and hands them over batch
// by batch, in row order; nothing accumulates but who was seen.
using EncodedSink = std::function<Status(EncodedBatch)>;
Status encode_rows(TableReader& reader, const Encoder& encoder, unsigned threads,
                   const EncodedSink& sink);

// The same, and keeps their codes.
Result<EncodedTable> encode_table(TableReader& reader, const Encoder& encoder, unsigned threads);

}  // namespace privpfc
