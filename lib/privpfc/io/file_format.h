#pragma once

#include <filesystem>
#include <optional>

namespace privpfc {

enum class FileFormat { kCsv, kParquet };

// By the file's extension, in any case: .csv, .tsv and .txt or .data (as UCI names its files) are
// CSV, .parquet is Parquet; anything else is unknown.
std::optional<FileFormat> format_of(const std::filesystem::path& path);

}  // namespace privpfc
