#pragma once

#include <dirent.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "privpfc/base/result.h"

namespace privpfc {

// A directory that appears whole or not at all: files are written beside its final place, made
// durable, and moved there by one rename. Dropped before commit(), nothing is left.
//
// A process that is killed leaves its unfinished directory behind; the next one with the same
// destination removes it.
class StagingDirectory {
 public:
  // An error if `destination` exists already. Its parent must exist.
  static Result<StagingDirectory> create(const std::filesystem::path& destination);

  StagingDirectory(StagingDirectory&& other) noexcept;
  StagingDirectory& operator=(StagingDirectory&&) = delete;
  StagingDirectory(const StagingDirectory&) = delete;
  StagingDirectory& operator=(const StagingDirectory&) = delete;
  ~StagingDirectory();

  const std::filesystem::path& path() const { return path_; }

  // Writes a whole text file and makes it durable.
  Status write_file(std::string_view name, std::string_view text) const;

  // Requires every file to be durable. Ensures: the destination is there, with all of them, also
  // after a power cut. Never replaces anything.
  Status commit();

 private:
  StagingDirectory(std::filesystem::path destination, std::filesystem::path path, DIR* entries);
  std::filesystem::path destination_;
  std::filesystem::path path_;  // empty once it has been moved away
  DIR* entries_ = nullptr;      // open, and locked, as long as this process is at work
};

enum class Discarded {
  kNothing,             // there was none
  kNothingAsAllIsDone,  // the last one has been committed already
  kUnfinished,
};

// For a signal's sake: removes the unfinished directories of this process. The caller must end the
// process: until then whoever makes, commits or drops a staging directory waits, so that none
// appears after this one went.
Discarded discard_staging_directories();

}  // namespace privpfc
