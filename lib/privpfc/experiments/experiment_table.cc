#include "privpfc/experiments/experiment_table.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>

#include "privpfc/base/sha256.h"
#include "privpfc/features/feature_reader.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/table/encoder.h"

namespace privpfc {
namespace {

// The value of a fold column as text; empty for null.
std::string text_at(const ColumnView& column, std::size_t row) {
  if (column.validity.is_null(row)) return {};
  return std::visit(
      [&](const auto& values) -> std::string {
        using Values = std::remove_cvref_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::span<const std::string_view>>) {
          return std::string(values[row]);
        } else if constexpr (std::is_same_v<Values, DictionaryView>) {
          return text_at(*values.values, static_cast<std::size_t>(values.indices[row]));
        } else if constexpr (std::is_same_v<Values, BooleanView>) {
          return values[row] ? "1" : "0";
        } else if constexpr (std::is_same_v<Values, DaysView>) {
          return std::to_string(values.days[row]);
        } else if constexpr (std::is_same_v<Values, AllNull>) {
          return {};
        } else {
          return std::to_string(values[row]);
        }
      },
      column.values);
}

// 0, 1, 2, ... in the order of the values: whole numbers by size, then texts.
Result<std::vector<std::uint32_t>> number_folds(const std::vector<std::string>& texts) {
  using Key = std::tuple<bool, long long, std::string>;
  const auto key_of = [](const std::string& text) {
    long long number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = problem == std::errc() && end == text.data() + text.size();
    return is_number ? Key(false, number, "") : Key(true, 0, text);
  };
  std::map<Key, std::uint32_t> numbers;
  for (const std::string& text : texts) numbers.emplace(key_of(text), 0);
  constexpr std::size_t kMostFolds = 1'000;
  if (numbers.size() < 2 || numbers.size() > kMostFolds) {
    return make_error(ErrorKind::kData, "the fold column has {} different values; 2 to {} are fine",
                      numbers.size(), kMostFolds);
  }
  std::uint32_t next = 0;
  for (auto& [key, number] : numbers) number = next++;
  std::vector<std::uint32_t> folds;
  for (const std::string& text : texts) folds.push_back(numbers.at(key_of(text)));
  return folds;
}

Result<std::vector<std::uint32_t>> read_folds(TableReader& reader, const std::string& name,
                                              unsigned threads) {
  const auto& columns = reader.columns();
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const InputColumn& column) { return column.name == name; });
  if (found == columns.end()) {
    return make_error(ErrorKind::kData, "there is no column '{}' to take the folds from", name);
  }
  const std::vector<std::size_t> selection{static_cast<std::size_t>(found - columns.begin())};
  std::vector<std::string> texts;
  PRIVPFC_TRY(reader.read(selection, threads, [&](const Batch& batch) -> TableReader::Turn {
    auto values = std::make_shared<std::vector<std::string>>();
    for (std::size_t row = 0; row < batch.rows; ++row) {
      values->push_back(text_at(batch.columns[0], row));
    }
    return [&texts, values](const RowPosition&) -> Status {
      texts.insert(texts.end(), values->begin(), values->end());
      return {};
    };
  }));
  return number_folds(texts);
}

template <typename Value>
void digest(Sha256& hash, const std::vector<Value>& values) {
  hash.update({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)});
  hash.update("|");
}

}  // namespace

Result<ExperimentTable> ExperimentTable::load(const Source& source, Schema schema) {
  ExperimentTable table;
  table.schema_ = std::move(schema);
  PRIVPFC_ASSIGN(TableReader reader,
                 TableReader::open({source.paths.begin(), source.paths.end()}, table.schema_.csv));
  EncoderOptions options;
  options.ignore_extra_columns = source.ignore_extra_columns;
  options.caps_persons = false;  // methods are compared row by row
  if (!source.fold_column.empty()) options.allowed_columns.push_back(source.fold_column);

  // The leaves of every attribute, and the numbers of those that have numbers.
  const std::size_t attributes = table.schema_.attributes.size();
  table.leaves_.resize(attributes);
  table.numbers_.resize(attributes);
  PRIVPFC_ASSIGN(const Encoder encoder, Encoder::create(table.schema_, reader.columns(), options));
  PRIVPFC_ASSIGN(const EncodedTable codes, encode_table(reader, encoder, source.threads));
  for (const EncodedBatch& batch : codes.batches()) {
    for (std::size_t i = 0; i < attributes; ++i) {
      if (!table.schema_.attributes[i].used) continue;
      std::visit(
          [&](auto leaves) {
            table.leaves_[i].insert(table.leaves_[i].end(), leaves.begin(), leaves.end());
          },
          batch.attribute(AttributeIndex(i)));
    }
    table.labels_.insert(table.labels_.end(), batch.classes.begin(), batch.classes.end());
  }
  const std::vector<AttributeView> views = plain_views(table.schema_);
  PRIVPFC_ASSIGN(const FeatureSpace space, make_feature_space(table.schema_, views));
  PRIVPFC_ASSIGN(const FeatureReader features,
                 FeatureReader::create(table.schema_, space, reader.columns(), options));
  PRIVPFC_ASSIGN(Dataset plain, read_dataset(reader, features, source.threads));
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    if (!space.features[f].is_number()) continue;
    table.numbers_[space.features[f].view.attribute.value()] =
        std::move(plain.rows.columns[f].numbers);
  }
  if (!source.fold_column.empty()) {
    PRIVPFC_ASSIGN(table.column_folds_, read_folds(reader, source.fold_column, source.threads));
  }
  Sha256 hash;
  for (const auto& leaves : table.leaves_) digest(hash, leaves);
  for (const auto& numbers : table.numbers_) digest(hash, numbers);
  digest(hash, table.labels_);
  digest(hash, table.column_folds_);
  table.hash_ = hash.finish_hex();
  return table;
}

Dataset ExperimentTable::dataset(const FeatureSpace& space,
                                 std::span<const std::uint32_t> rows) const {
  Dataset data;
  data.rows = empty_rows(space);
  data.rows.count = rows.size();
  data.weights.assign(rows.size(), 1);
  for (const std::uint32_t row : rows) data.labels.push_back(labels_[row]);
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    const Feature& feature = space.features[f];
    const std::size_t attribute = feature.view.attribute.value();
    FeatureColumn& column = data.rows.columns[f];
    for (const std::uint32_t row : rows) {
      if (feature.is_number()) {
        column.numbers.push_back(numbers_[attribute][row]);
      } else {
        column.codes.push_back(feature.category_of_leaf[leaves_[attribute][row]]);
      }
    }
  }
  return data;
}

EncodedTable ExperimentTable::encoded(std::span<const std::uint32_t> rows) const {
  EncodedBatch batch;
  batch.rows = rows.size();
  for (const std::vector<std::uint16_t>& leaves : leaves_) {
    std::vector<std::uint16_t> codes;
    if (!leaves.empty()) {
      for (const std::uint32_t row : rows) codes.push_back(leaves[row]);
    }
    batch.codes.emplace_back(std::move(codes));
  }
  for (const std::uint32_t row : rows) batch.classes.push_back(labels_[row]);
  EncodedTable table;
  table.append(std::move(batch));
  return table;
}

}  // namespace privpfc
