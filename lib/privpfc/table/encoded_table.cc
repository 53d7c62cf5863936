#include "privpfc/table/encoded_table.h"

#include <utility>

#include "privpfc/base/contract.h"

namespace privpfc {

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
