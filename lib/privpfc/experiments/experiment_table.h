#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/classifiers/dataset.h"
#include "privpfc/schema/schema.h"
#include "privpfc/table/encoded_table.h"

namespace privpfc {

// A table that experiments split and train on again and again: read once, kept in memory, seen by
// every method as that method wants to see it.
class ExperimentTable {
 public:
  struct Source {
    std::vector<std::string> paths;
    std::string fold_column{};  // empty: there is none
    bool ignore_extra_columns = false;
    unsigned threads = 0;
  };
  static Result<ExperimentTable> load(const Source& source, Schema schema);

  const Schema& schema() const { return schema_; }
  std::size_t rows() const { return labels_.size(); }
  std::span<const std::uint8_t> labels() const { return labels_; }

  // The fold of each row as the fold column says, numbered in the order of its values (numbers
  // before texts); empty without one.
  std::span<const std::uint32_t> column_folds() const { return column_folds_; }

  // A digest of all that methods can see of the rows.
  const std::string& hash() const { return hash_; }

  // Some rows, as learners and as the pipeline see them. The space is of this schema.
  Dataset dataset(const FeatureSpace& space, std::span<const std::uint32_t> rows) const;
  EncodedTable encoded(std::span<const std::uint32_t> rows) const;

 private:
  Schema schema_;
  std::vector<std::vector<std::uint16_t>> leaves_;  // by attribute; empty if it is not used
  std::vector<std::vector<double>> numbers_;        // by attribute; empty if it is not numeric
  std::vector<std::uint8_t> labels_;
  std::vector<std::uint32_t> column_folds_;
  std::string hash_;
};

}  // namespace privpfc
