#pragma once

#include <cstddef>
#include <filesystem>

#include "privpfc/base/result.h"

namespace privpfc {

// A new file, open for writing, that disappears unless it is kept.
class OutputFile {
 public:
  // `mode` as in open(2), cut by the umask. An existing file is an error unless `overwrite`; what
  // is not a regular file is refused.
  static Result<OutputFile> create(const std::filesystem::path& path, bool overwrite,
                                   unsigned mode);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  Status write(const void* bytes, std::size_t size);
  // Closes the file and lets it stay; with `sync`, only after file and directory are on the disk.
  Status keep(bool sync);

  std::size_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  OutputFile(std::filesystem::path path, int descriptor);
  Status failed(const char* action, int error_number) const;
  void remove() noexcept;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
};

}  // namespace privpfc
