#pragma once

// The released counts as Parquet: one row per cell, a column per axis with the node's label, a
// column per class with the noisy count. And the same for columns outside the grid.

#include <filesystem>
#include <string>

#include "privpfc/base/result.h"
#include "privpfc/pipeline/synopsis.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

Status write_cells(const std::filesystem::path& path, const Schema& schema,
                   const Synopsis& synopsis, const std::string& facts);
Status write_side_columns(const std::filesystem::path& path, const Schema& schema,
                          const Synopsis& synopsis, const std::string& facts);

// Fill in the counts of a synopsis that has its axes and side columns already. The cells must be
// all there and in their order; labels are compared with the schema's.
Status read_cells(const std::filesystem::path& path, const Schema& schema, Synopsis& synopsis);
Status read_side_columns(const std::filesystem::path& path, const Schema& schema,
                         Synopsis& synopsis);

// The column that counts one class.
std::string count_column(const std::string& class_name);

}  // namespace privpfc
