#pragma once

#include <functional>
#include <vector>

#include "privpfc/classifiers/dataset.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/schema/schema.h"
#include "privpfc/table/data_check.h"
#include "privpfc/table/encoder.h"

namespace privpfc {

// Reads a table as learners see it: numbers stay numbers, categories become codes at the level that
// the feature space says. Values go where docs/schema.md says; every row has weight 1.
class FeatureReader {
 public:
  // The errors are those of Encoder::create(). Without options.needs_label there are no labels.
  // `schema` and `space` must outlive the reader.
  static Result<FeatureReader> create(const Schema& schema, const FeatureSpace& space,
                                      std::span<const InputColumn> columns,
                                      const EncoderOptions& options);

  // The positions to read.
  const std::vector<std::size_t>& input_columns() const { return encoder_.input_columns(); }

  const FeatureSpace& space() const { return *space_; }

  const Encoder& encoder() const { return encoder_; }

  // `batch` has the input columns; none of its rows is left out here. May be called on several
  // threads at once.
  Dataset read(const Batch& batch) const;
  Dataset read(const Batch& batch, BatchNotes& notes) const;

  // For what is noticed on the way; `columns` are those of the table.
  DataReport start_report(std::span<const InputColumn> columns) const {
    return privpfc::start_report(*schema_, encoder_, columns);
  }

 private:
  FeatureReader(const Schema& schema, const FeatureSpace& space, Encoder encoder);

  const Schema* schema_;
  const FeatureSpace* space_;
  Encoder encoder_;
  std::vector<std::size_t> input_of_feature_;
};

// All rows of the table, in order, but for those beyond a declared cap on a person's. With `report`
// also what was noticed about all of them, which is for the curator's eyes only.
Result<Dataset> read_dataset(TableReader& table, const FeatureReader& features, unsigned threads,
                             DataReport* report = nullptr);

// What a model that sees this space needs of a table.
std::vector<AttributeIndex> attributes_of(const FeatureSpace& space);

}  // namespace privpfc
