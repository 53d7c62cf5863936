#include "privpfc/release/staging.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "privpfc/release/folder.h"

namespace privpfc {
namespace {

namespace fs = std::filesystem;

std::mutex open_mutex;
bool all_committed = false;
std::map<fs::path, DIR*>& open_directories() {
  static std::map<fs::path, DIR*> directories;
  return directories;
}

// Opens nothing and asks for no memory: what ended the work (no descriptors left, a disk that no
// longer answers) would often keep fs::remove_all from its own. There are only files in it.
void remove_open_directory(const fs::path& path, DIR* entries) {
  ::rewinddir(entries);
  while (const dirent* entry = ::readdir(entries)) {
    ::unlinkat(::dirfd(entries), entry->d_name, 0);  // "." and ".." stay
  }
  ::rmdir(path.c_str());
}

std::string prefix_of(const fs::path& destination) {
  return "." + destination.filename().string() + ".unfinished-";
}

// Whoever works in a staging directory holds a lock on it, which goes with the process however it
// ends.
class DirectoryLock {
 public:
  explicit DirectoryLock(const fs::path& path)
      : directory_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
    struct stat locked {};
    struct stat named {};
    held_ = directory_ >= 0 && ::flock(directory_, LOCK_EX | LOCK_NB) == 0;
    // Some file systems have no locks; there nothing counts as abandoned.
    held_by_another_ = directory_ >= 0 && !held_ && errno == EWOULDBLOCK;
    is_gone_ = ::fstat(directory_, &locked) != 0 || ::lstat(path.c_str(), &named) != 0 ||
               locked.st_ino != named.st_ino;
  }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock() {
    if (directory_ >= 0) ::close(directory_);
  }

  bool shows_abandoned() const { return held_ && !is_gone_; }
  bool may_work() const { return !held_by_another_ && !is_gone_; }
  // The directory, locked; null if it cannot be read.
  DIR* keep() {
    DIR* const entries = ::fdopendir(directory_);
    if (entries != nullptr) directory_ = -1;
    return entries;
  }

 private:
  int directory_;
  bool held_;
  bool held_by_another_;
  bool is_gone_;
};

// What earlier processes left when they were killed.
void remove_abandoned(const fs::path& destination) {
  const std::string prefix = prefix_of(destination);
  std::error_code code;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder_of(destination), code)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  for (const fs::path& path : found) {
    const DirectoryLock lock(path);
    if (lock.shows_abandoned()) fs::remove_all(path, code);
  }
}

// Moves a directory to a name where nothing is; errno says why it could not.
//
// Where the file system cannot promise that by itself (NFS, some FUSE), the name is looked at
// first, and a rename refuses all that could appear there in between but an empty directory: of
// many publishers one still wins, and nothing that anybody has written is lost.
bool move_without_replacing(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return false;
  struct stat info {};
  if (::lstat(to.c_str(), &info) == 0) {
    errno = EEXIST;
    return false;
  }
  if (errno != ENOENT) return false;
  if (::rename(from.c_str(), to.c_str()) == 0) return true;
  if (errno == ENOTEMPTY || errno == ENOTDIR) errno = EEXIST;
  return false;
}

Status sync_directory(const fs::path& path) {
  const int directory = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool fine = directory >= 0 && ::fsync(directory) == 0;
  const int problem = errno;
  if (directory >= 0) ::close(directory);
  if (fine) return {};
  return make_error(ErrorKind::kIo, "{}: {}", path.string(), std::strerror(problem));
}

}  // namespace

StagingDirectory::StagingDirectory(fs::path destination, fs::path path, DIR* entries)
    : destination_(std::move(destination)), path_(std::move(path)), entries_(entries) {}

StagingDirectory::StagingDirectory(StagingDirectory&& other) noexcept
    : destination_(std::move(other.destination_)),
      path_(std::move(other.path_)),
      entries_(std::exchange(other.entries_, nullptr)) {
  other.path_.clear();
}

StagingDirectory::~StagingDirectory() {
  if (!path_.empty()) {
    const std::lock_guard lock(open_mutex);
    remove_open_directory(path_, entries_);
    open_directories().erase(path_);
  }
  if (entries_ != nullptr) ::closedir(entries_);
}

Result<StagingDirectory> StagingDirectory::create(const fs::path& destination) {
  std::error_code code;
  if (fs::exists(fs::symlink_status(destination, code))) {
    return make_error(ErrorKind::kIo, "{}: exists already; a release is never overwritten",
                      destination.string());
  }
  if (destination.filename().empty() || destination.filename() == "." ||
      destination.filename() == "..") {
    return make_error(ErrorKind::kUsage, "{}: is not the name of a new directory",
                      destination.string());
  }
  if (!fs::is_directory(folder_of(destination), code)) {
    return make_error(ErrorKind::kIo, "{}: no such directory", folder_of(destination).string());
  }
  remove_abandoned(destination);
  for (int attempts = 10;;) {
    std::string pattern = (folder_of(destination) / (prefix_of(destination) + "XXXXXX")).string();
    // Under the lock, so that an interrupt finds either no directory or one it knows of.
    const std::lock_guard lock(open_mutex);
    if (::mkdtemp(pattern.data()) == nullptr) {
      return make_error(ErrorKind::kIo, "{}: cannot be written to: {}",
                        folder_of(destination).string(), std::strerror(errno));
    }
    DirectoryLock held(pattern);
    if (!held.may_work()) {
      ::rmdir(pattern.c_str());
      // Another process may have come between and taken the new directory for an abandoned one.
      if (attempts-- > 0) continue;
      return make_error(ErrorKind::kIo, "{}: a directory in it cannot be locked",
                        folder_of(destination).string());
    }
    DIR* const entries = held.keep();
    if (entries == nullptr) {
      const int problem = errno;
      ::rmdir(pattern.c_str());
      return make_error(ErrorKind::kIo, "{}: {}", pattern, std::strerror(problem));
    }
    open_directories().emplace(pattern, entries);
    all_committed = false;
    return StagingDirectory(destination, pattern, entries);
  }
}

Status StagingDirectory::write_file(std::string_view name, std::string_view text) const {
  const fs::path path = path_ / name;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int problem = file < 0 ? errno : 0;
  while (!text.empty() && problem == 0) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) problem = errno;
  }
  if (problem == 0 && ::fsync(file) != 0) problem = errno;
  if (file >= 0 && ::close(file) != 0 && problem == 0) problem = errno;
  if (problem == 0) return {};
  return make_error(ErrorKind::kIo, "{}: {}", path.string(), std::strerror(problem));
}

Status StagingDirectory::commit() {
  PRIVPFC_TRY(sync_directory(path_));
  // Under the lock, so that an interrupt comes before the rename or after it.
  const std::unique_lock lock(open_mutex);
  if (!move_without_replacing(path_, destination_)) {
    if (errno == EEXIST) {
      return make_error(ErrorKind::kIo, "{}: exists already; a release is never overwritten",
                        destination_.string());
    }
    return make_error(ErrorKind::kIo, "{}: {}", destination_.string(), std::strerror(errno));
  }
  open_directories().erase(path_);
  all_committed = open_directories().empty();
  path_.clear();
  const Status synced = sync_directory(folder_of(destination_));
  if (synced.ok()) return {};
  return make_error(ErrorKind::kIo,
                    "{}; the release is in {}, whole, but a power failure could still take it away",
                    synced.error().message, destination_.string());
}

Discarded discard_staging_directories() {
  std::unique_lock lock(open_mutex);
  const Discarded answer = all_committed                ? Discarded::kNothingAsAllIsDone
                           : open_directories().empty() ? Discarded::kNothing
                                                        : Discarded::kUnfinished;
  std::error_code code;
  for (const auto& [path, entries] : open_directories()) {
    // Another thread may be writing: once the directory has another name, no file can be added to
    // it by its old one, and emptying it comes to an end.
    fs::path aside = path;
    aside += "-discarded";
    fs::rename(path, aside, code);
    remove_open_directory(code ? path : aside, entries);
  }
  lock.release();
  return answer;
}

}  // namespace privpfc
