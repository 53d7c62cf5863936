#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "privpfc/base/strong_index.h"

namespace privpfc {

// The leaf codes of one attribute: one byte each where there are at most 256 leaves.
using Codes = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>>;
using CodesView = std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>>;

// Rows in which each value is the code of its leaf, and each label the code of its class.
struct EncodedBatch {
  std::size_t rows = 0;
  std::vector<Codes> codes;  // by attribute of the schema; empty where the attribute is not used
  std::vector<std::uint8_t> classes;

  CodesView attribute(AttributeIndex index) const;
};

// Leaves the batch with these of its rows, in this order. Requires: increasing positions.
void keep_rows(EncodedBatch& batch, std::span<const std::size_t> rows);

// A whole table of codes. Its memory is rows x code bytes: batches are kept as they come and never
// moved, so that growing needs no second copy.
class EncodedTable {
 public:
  void append(EncodedBatch batch);

  std::uint64_t rows() const { return rows_; }
  std::span<const EncodedBatch> batches() const { return batches_; }
  std::size_t memory() const;  // bytes held by the codes

 private:
  std::vector<EncodedBatch> batches_;
  std::uint64_t rows_ = 0;
};

}  // namespace privpfc
