#include "privpfc/features/generalised_reader.h"

#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>

#include "privpfc/features/append_rows.h"
#include "privpfc/features/number_column.h"
#include "privpfc/schema/interval.h"

namespace privpfc {
namespace {

using CodeOfLabel = std::unordered_map<std::string_view, std::uint16_t>;

CodeOfLabel codes_of(const std::vector<std::string>& labels) {
  CodeOfLabel codes;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    codes.emplace(labels[i], static_cast<std::uint16_t>(i));
  }
  return codes;
}

Error unknown_value(const std::string& column) {
  return make_error(ErrorKind::kData,
                    "column '{}' holds something that the release's schema does not have; the file "
                    "is not the one that was released",
                    column);
}

// The codes of labels, or of booleans, by row; none where the column is of another type. A label
// without a code, and whatever stands in a null row, has kMissingCode.
struct ReadCodes {
  const CodeOfLabel& codes;
  std::size_t rows;
  using Codes = std::optional<std::vector<std::uint16_t>>;

  std::uint16_t code(std::string_view label) const {
    const auto found = codes.find(label);
    return found == codes.end() ? kMissingCode : found->second;
  }
  Codes operator()(const std::span<const std::string_view>& labels) const {
    std::vector<std::uint16_t> result(rows);
    for (std::size_t row = 0; row < rows; ++row) result[row] = code(labels[row]);
    return result;
  }
  Codes operator()(const DictionaryView& dictionary) const {
    const Codes values =
        std::visit(ReadCodes{codes, dictionary.values->rows}, dictionary.values->values);
    if (!values) return std::nullopt;
    std::vector<std::uint16_t> result(rows, kMissingCode);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto index = static_cast<std::uint32_t>(dictionary.indices[row]);
      if (index < values->size()) result[row] = (*values)[index];
    }
    return result;
  }
  Codes operator()(const BooleanView& values) const {
    std::vector<std::uint16_t> result(rows);
    for (std::size_t row = 0; row < rows; ++row) result[row] = code(values[row] ? "true" : "false");
    return result;
  }
  Codes operator()(const AllNull&) const { return std::vector<std::uint16_t>(rows, kMissingCode); }
  template <typename Other>
  Codes operator()(const Other&) const {
    return std::nullopt;
  }
};

// One feature, or the label, and the column that it is read from.
class ColumnReader {
 public:
  static Result<ColumnReader> create(const Schema& schema, const Feature& feature,
                                     ColumnType type) {
    ColumnReader reader(feature.name, feature.categories);
    const Attribute& attribute = schema[feature.view.attribute];
    const bool has_numbers =
        type == ColumnType::kInteger || type == ColumnType::kReal || type == ColumnType::kDate;
    if (has_numbers && !attribute.bins) return unknown_value(feature.name);
    if (!feature.is_number() && !has_numbers) return reader;
    reader.attribute_ = &attribute;
    reader.feature_ = &feature;
    PRIVPFC_ASSIGN(const FeatureSpace numbers,
                   make_feature_space(schema, {{{feature.view.attribute, true, {}}}}));
    reader.number_ = numbers.features.front();
    return reader;
  }
  static ColumnReader of_labels(const std::string& name, const std::vector<std::string>& labels) {
    return {name, labels};
  }

  Status read(const ColumnView& column, FeatureColumn& out) const {
    if (attribute_ != nullptr) {
      std::vector<Note> notes(column.rows, Note::kFine);
      for (std::size_t row = 0; row < column.rows; ++row) {
        if (column.validity.is_null(row)) notes[row] = Note::kMissing;
      }
      out.numbers = read_numbers(column, notes, *attribute_, number_);
      if (!feature_->is_number()) group(out);
      return {};
    }
    auto codes = std::visit(ReadCodes{codes_, column.rows}, column.values);
    if (!codes) return unknown_value(name_);
    for (std::size_t row = 0; row < column.rows; ++row) {
      if (column.validity.is_null(row)) {
        (*codes)[row] = kMissingCode;
      } else if ((*codes)[row] == kMissingCode) {
        return unknown_value(name_);
      }
    }
    out.codes = *std::move(codes);
    return {};
  }

 private:
  ColumnReader(std::string name, const std::vector<std::string>& labels)
      : name_(std::move(name)), codes_(codes_of(labels)) {}

  // A number that is null stands for a missing value, or, where no leaf is kept for these, for one
  // outside the domain.
  void group(FeatureColumn& column) const {
    const std::uint16_t null_code = attribute_->has_other_leaf && !attribute_->has_missing_leaf
                                        ? feature_->category_of_leaf[attribute_->other_leaf.value()]
                                        : kMissingCode;
    column.codes.reserve(column.numbers.size());
    for (const double number : column.numbers) {
      const auto bin =
          std::isnan(number) ? std::nullopt : bin_of(*attribute_->bins, number, attribute_->kind);
      column.codes.push_back(bin ? feature_->category_of_leaf[*bin] : null_code);
    }
    column.numbers.clear();
  }

  std::string name_;
  CodeOfLabel codes_;
  const Attribute* attribute_ = nullptr;  // only where the column has numbers
  const Feature* feature_ = nullptr;
  Feature number_;
};

Result<std::size_t> find_column(const TableReader& table, const std::string& name) {
  const auto& columns = table.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
  }
  return make_error(ErrorKind::kData,
                    "the synthetic table has no column '{}'; it is not the one that was released",
                    name);
}

}  // namespace

Result<Dataset> read_generalised_rows(TableReader& table, const Schema& schema,
                                      const FeatureSpace& space, const std::string& label_column,
                                      unsigned threads) {
  std::vector<std::size_t> positions;
  std::vector<ColumnReader> readers;
  for (const Feature& feature : space.features) {
    PRIVPFC_ASSIGN(const std::size_t position, find_column(table, feature.name));
    PRIVPFC_ASSIGN(ColumnReader reader,
                   ColumnReader::create(schema, feature, table.columns()[position].type));
    positions.push_back(position);
    readers.push_back(std::move(reader));
  }
  PRIVPFC_ASSIGN(const std::size_t label_position, find_column(table, label_column));
  positions.push_back(label_position);
  readers.push_back(ColumnReader::of_labels(label_column, space.classes));

  const auto read_batch = [&](const Batch& batch) -> Result<Dataset> {
    Dataset data;
    data.rows = empty_rows(space);
    data.rows.count = batch.rows;
    data.weights.assign(batch.rows, 1);
    FeatureColumn label;
    for (std::size_t i = 0; i < readers.size(); ++i) {
      const bool is_label = i == space.features.size();
      PRIVPFC_TRY(readers[i].read(batch.columns[i], is_label ? label : data.rows.columns[i]));
    }
    for (const std::uint16_t code : label.codes) {
      if (code == kMissingCode) return unknown_value(label_column);
      data.labels.push_back(static_cast<std::uint8_t>(code));
    }
    return data;
  };
  Dataset all;
  all.rows = empty_rows(space);
  PRIVPFC_TRY(table.read(positions, threads, [&](const Batch& batch) -> TableReader::Turn {
    auto data = std::make_shared<Result<Dataset>>(read_batch(batch));
    return [&all, data](const RowPosition&) -> Status {
      if (!data->ok()) return data->error();
      append_rows(all, **data);
      return {};
    };
  }));
  return all;
}

}  // namespace privpfc
