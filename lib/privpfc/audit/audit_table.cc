#include "privpfc/audit/audit_table.h"

#include <map>
#include <memory>
#include <string_view>
#include <variant>

#include "privpfc/features/feature_reader.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/table/encoder.h"

namespace privpfc {
namespace {

struct CodedRow {
  std::vector<std::uint16_t> leaves;
  std::uint8_t label = 0;
};

std::vector<CodedRow> coded_rows(const EncodedTable& table) {
  std::vector<CodedRow> rows;
  for (const EncodedBatch& batch : table.batches()) {
    const std::size_t first = rows.size();
    rows.resize(first + batch.rows);
    for (std::size_t i = 0; i < batch.rows; ++i) rows[first + i].label = batch.classes[i];
    for (const Codes& codes : batch.codes) {
      std::visit(
          [&](const auto& list) {
            for (std::size_t i = 0; i < batch.rows; ++i) {
              rows[first + i].leaves.push_back(list.empty() ? 0 : list[i]);
            }
          },
          codes);
    }
  }
  return rows;
}

template <typename Value>
void append_bytes(std::string& key, const Value& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// All that any method can see of a row.
std::vector<std::string> row_keys(const AuditTable& table, const std::vector<CodedRow>& rows) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string key(1, static_cast<char>(rows[i].label));
    for (const std::uint16_t leaf : rows[i].leaves) append_bytes(key, leaf);
    for (const FeatureColumn& column : table.dataset.rows.columns) {
      if (!column.numbers.empty()) append_bytes(key, column.numbers[i]);
      if (!column.codes.empty()) append_bytes(key, column.codes[i]);
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace

Result<AuditTable> encode_texts(const TextRows& rows, const Schema& schema,
                                const FeatureSpace& space) {
  std::vector<InputColumn> columns;
  const auto add_column = [&](const ColumnRef& column) {
    const auto* name = std::get_if<std::string>(&column);
    columns.push_back({name != nullptr ? *name : std::string(), ColumnType::kText});
  };
  for (const Attribute& attribute : schema.attributes) add_column(attribute.column);
  add_column(schema.label.column);
  PRIVPFC_ASSIGN(const Encoder encoder, Encoder::create(schema, columns));
  PRIVPFC_ASSIGN(const FeatureReader features, FeatureReader::create(schema, space, columns, {}));

  std::vector<std::vector<std::string_view>> texts(columns.size());
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < columns.size(); ++c) texts[c].push_back(row[c]);
  }
  Batch batch{rows.size(), {}, {}};
  for (const std::size_t column : encoder.input_columns()) {
    batch.columns.push_back({rows.size(), std::span<const std::string_view>(texts[column])});
  }
  AuditTable table;
  table.encoded.append(encoder.encode(batch));
  table.dataset = features.read(batch);
  return table;
}

Result<AuditTable> load_audit_table(const std::string& path, const Schema& schema,
                                    const FeatureSpace& space, bool ignore_extra_columns) {
  PRIVPFC_ASSIGN(TableReader reader, TableReader::open({path}, schema.csv));
  EncoderOptions options;
  options.ignore_extra_columns = ignore_extra_columns;
  options.caps_persons = false;  // what is attacked is the promise to a row
  PRIVPFC_ASSIGN(const Encoder encoder, Encoder::create(schema, reader.columns(), options));
  PRIVPFC_ASSIGN(const FeatureReader features,
                 FeatureReader::create(schema, space, reader.columns(), options));
  AuditTable table;
  PRIVPFC_ASSIGN(table.encoded, encode_table(reader, encoder, 1));
  PRIVPFC_ASSIGN(table.dataset, read_dataset(reader, features, 1));
  return table;
}

Result<RowApart> row_apart(const AuditTable& first, const AuditTable& second) {
  const bool in_first = first.encoded.rows() > second.encoded.rows();
  const AuditTable& more = in_first ? first : second;
  const AuditTable& fewer = in_first ? second : first;
  const std::vector<CodedRow> rows = coded_rows(more.encoded);
  const std::vector<std::string> keys = row_keys(more, rows);
  std::map<std::string, std::int64_t> left;
  for (const std::string& key : row_keys(fewer, coded_rows(fewer.encoded))) ++left[key];
  std::vector<std::size_t> apart;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto found = left.find(keys[i]);
    if (found == left.end() || found->second == 0) {
      apart.push_back(i);
    } else {
      --found->second;
    }
  }
  if (apart.size() != 1 || more.encoded.rows() != fewer.encoded.rows() + 1) {
    return make_error(
        ErrorKind::kData,
        "the two tables are no neighbours: one must hold every row of the other, and "
        "one more; these have {} and {} rows, and {} of the longer one are not in the "
        "other",
        first.encoded.rows(), second.encoded.rows(), apart.size());
  }
  const CodedRow& row = rows[apart[0]];
  return RowApart{in_first, apart[0], row.leaves, row.label};
}

}  // namespace privpfc
