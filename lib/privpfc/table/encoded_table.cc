#include "privpfc/table/encoded_table.h"

#include <utility>

#include "privpfc/base/contract.h"

namespace privpfc {

namespace {

template <typename Code>
void keep(std::vector<Code>& codes, std::span<const std::size_t> rows) {
  if (codes.empty()) return;  // an attribute that is not used
  for (std::size_t i = 0; i < rows.size(); ++i) codes[i] = codes[rows[i]];
  codes.resize(rows.size());
  codes.shrink_to_fit();  // batches are kept as they are
}

}  // namespace

void keep_rows(EncodedBatch& batch, std::span<const std::size_t> rows) {
  if (rows.size() == batch.rows) return;
  require(rows.empty() || (rows.size() < batch.rows && rows.back() < batch.rows),
          "rows of the batch, in order");
  for (Codes& codes : batch.codes) {
    std::visit([&](auto& values) { keep(values, rows); }, codes);
  }
  keep(batch.classes, rows);
  batch.rows = rows.size();
}

CodesView EncodedBatch::attribute(AttributeIndex index) const {
  require(index.value() < codes.size(), "an attribute of the schema");
  return std::visit(
      [this](const auto& values) -> CodesView {
        require(values.size() == rows, "an attribute that is used");
        return std::span(values);
      },
      codes[index.value()]);
}

void EncodedTable::append(EncodedBatch batch) {
  if (batch.rows == 0) return;
  rows_ += batch.rows;
  batches_.push_back(std::move(batch));
}

std::size_t EncodedTable::memory() const {
  std::size_t bytes = 0;
  for (const EncodedBatch& batch : batches_) {
    bytes += batch.classes.capacity();
    for (const Codes& codes : batch.codes) {
      bytes += std::visit([](const auto& v) { return v.capacity() * sizeof(v[0]); }, codes);
    }
  }
  return bytes;
}

}  // namespace privpfc
