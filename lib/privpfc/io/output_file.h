#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "privpfc/base/result.h"
#include "privpfc/base/sha256.h"

namespace privpfc {

// What a file turned out to be.
struct FileDigest {
  std::string sha256;
  std::size_t bytes = 0;
};

// A new file, open for writing, that nobody sees until it is kept and that disappears unless it is.
// One that is overwritten is emptied at once.
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

  // From now on, what is written is also hashed, and handed to the disk as it comes, so that
  // syncing in the end has little left to do. Before the first write().
  void start_hash() { hash_.emplace(); }
  void start_sync() { syncs_early_ = true; }

  Status write(const void* bytes, std::size_t size);
  // Closes the file and lets it stay; with `sync`, only after file and directory are on the disk.
  Status keep(bool sync);

  std::size_t size() const { return size_; }
  // After start_hash(); call once.
  FileDigest digest() { return {hash_->finish_hex(), size_}; }
  const std::filesystem::path& path() const { return path_; }

 private:
  static Result<OutputFile> reopen(const std::filesystem::path& path);
  OutputFile(std::filesystem::path path, std::string unfinished, int descriptor);
  Status failed(const char* action, int error_number) const;
  void remove() noexcept;

  std::filesystem::path path_;
  std::string unfinished_;  // where it can be linked from; empty for one that is overwritten
  int descriptor_ = -1;
  std::size_t size_ = 0;
  std::optional<Sha256> hash_;
  bool syncs_early_ = false;
  std::size_t synced_ = 0;  // so much was handed to the disk
};

}  // namespace privpfc
