#pragma once

#include <filesystem>

#include "privpfc/experiments/comparison.h"

namespace privpfc {

// The rows as a Parquet file: method, classifier, epsilon (null: the method uses none), fold,
// repeat, error, seconds, megabytes.
Status write_comparison(const ComparisonResults& results, const std::filesystem::path& path);

}  // namespace privpfc
