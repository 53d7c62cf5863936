#include "privpfc/io/file_format.h"

#include <string>

namespace privpfc {

std::optional<FileFormat> format_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (extension == ".parquet") return FileFormat::kParquet;
  if (extension == ".csv" || extension == ".tsv" || extension == ".txt" || extension == ".data") {
    return FileFormat::kCsv;
  }
  return std::nullopt;
}

}  // namespace privpfc
