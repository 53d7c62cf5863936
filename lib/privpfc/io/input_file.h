#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/io/file_format.h"

namespace privpfc {

// A regular file, open for reading. Anything else (a device, a pipe) could hang or never end.
class InputFile {
 public:
  static Result<InputFile> open(const std::filesystem::path& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  std::uint64_t size() const { return size_; }
  // Reads up to `count` bytes at the current place; 0 at the end.
  Result<std::size_t> read(char* bytes, std::size_t count);
  // Reads `count` bytes at `offset`, fewer where the file ends; does not move the current place.
  Result<std::size_t> read_at(std::uint64_t offset, char* bytes, std::size_t count) const;
  // Gives up the descriptor to the caller.
  int release();

 private:
  InputFile(std::filesystem::path path, int descriptor, std::uint64_t size);
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

struct InputFiles {
  FileFormat format = FileFormat::kCsv;
  std::vector<std::filesystem::path> paths;
};

// Replaces each directory by its files, sorted by name (those that start with '.' or '_' are left
// out), and finds the one format that all files share. A file whose extension says nothing is
// Parquet if it starts like one, and CSV otherwise. The same file twice is an error.
Result<InputFiles> list_input_files(const std::vector<std::filesystem::path>& paths);

}  // namespace privpfc
