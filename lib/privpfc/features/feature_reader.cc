#include "privpfc/features/feature_reader.h"

#include <memory>

#include "privpfc/features/append_rows.h"
#include "privpfc/features/number_column.h"

namespace privpfc {

FeatureReader::FeatureReader(const Schema& schema, const FeatureSpace& space, Encoder encoder)
    : schema_(&schema), space_(&space), encoder_(std::move(encoder)) {
  const auto& inputs = encoder_.input_attributes();
  for (const Feature& feature : space.features) {
    std::size_t input = 0;
    while (input < inputs.size() && inputs[input] != feature.view.attribute) ++input;
    require(input < inputs.size(), "a feature is a used attribute of the schema");
    input_of_feature_.push_back(input);
  }
}

Result<FeatureReader> FeatureReader::create(const Schema& schema, const FeatureSpace& space,
                                            std::span<const InputColumn> columns,
                                            const EncoderOptions& options) {
  PRIVPFC_ASSIGN(Encoder encoder, Encoder::create(schema, columns, options));
  return FeatureReader(schema, space, std::move(encoder));
}

Dataset FeatureReader::read(const Batch& batch) const {
  BatchNotes notes;
  return read(batch, notes);
}

Dataset FeatureReader::read(const Batch& batch, BatchNotes& notes) const {
  EncodedBatch encoded = encoder_.encode(batch, notes);
  Dataset data;
  data.rows = empty_rows(*space_);
  data.rows.count = batch.rows;
  data.labels = std::move(encoded.classes);
  data.weights.assign(batch.rows, 1);
  for (std::size_t f = 0; f < space_->features.size(); ++f) {
    const Feature& feature = space_->features[f];
    FeatureColumn& column = data.rows.columns[f];
    const std::size_t input = input_of_feature_[f];
    if (feature.is_number()) {
      column.numbers = read_numbers(batch.columns[input], notes[input],
                                    (*schema_)[feature.view.attribute], feature);
      continue;
    }
    column.codes.resize(batch.rows);
    std::visit(
        [&](const auto& leaves) {
          for (std::size_t row = 0; row < leaves.size(); ++row) {
            column.codes[row] = feature.category_of_leaf[leaves[row]];
          }
        },
        encoded.attribute(feature.view.attribute));
  }
  return data;
}

Result<Dataset> read_dataset(TableReader& table, const FeatureReader& features, unsigned threads,
                             DataReport* report) {
  if (report != nullptr) *report = features.start_report(table.columns());
  Dataset all;
  all.rows = empty_rows(features.space());  // a table without rows has its columns all the same
  std::optional<PersonCap> cap;
  if (const auto most = features.encoder().most_rows_of_a_person()) cap.emplace(*most);
  PRIVPFC_TRY(
      table.read(features.input_columns(), threads, [&](const Batch& batch) -> TableReader::Turn {
        auto notes = std::make_shared<BatchNotes>();
        auto data = std::make_shared<Dataset>(features.read(batch, *notes));
        if (report == nullptr) notes->clear();
        auto persons = std::make_shared<const PersonKeys>(cap ? features.encoder().persons(batch)
                                                              : PersonKeys());
        return [&all, &cap, report, data, notes, persons](const RowPosition& position) -> Status {
          if (report != nullptr) add_notes(*notes, data->count(), position, *report);
          if (cap) *data = take_rows(*data, cap->keep(*persons));
          append_rows(all, *data);
          return {};
        };
      }));
  return all;
}

std::vector<AttributeIndex> attributes_of(const FeatureSpace& space) {
  std::vector<AttributeIndex> attributes;
  for (const Feature& feature : space.features) attributes.push_back(feature.view.attribute);
  return attributes;
}

}  // namespace privpfc
