#include "privpfc/release/staging.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <vector>

namespace privpfc {
namespace {

namespace fs = std::filesystem;

std::mutex open_mutex;
bool all_committed = false;
std::set<fs::path>& open_directories() {
  static std::set<fs::path> paths;
  return paths;
}

std::string prefix_of(const fs::path& destination) {
  return "." + destination.filename().string() + ".unfinished-";
}

fs::path parent_of(const fs::path& destination) {
  const fs::path parent = destination.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

// What earlier processes left when they were killed.
void remove_abandoned(const fs::path& destination) {
  const std::string prefix = prefix_of(destination);
  std::error_code code;
  std::vector<fs::path> abandoned;
  for (const auto& entry : fs::directory_iterator(parent_of(destination), code)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    pid_t process = 0;
    const char* begin = name.data() + prefix.size();
    const auto parsed = std::from_chars(begin, name.data() + name.size(), process);
    const bool is_alive =
        parsed.ec == std::errc() && process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
    if (!is_alive) abandoned.push_back(entry.path());
  }
  for (const fs::path& path : abandoned) fs::remove_all(path, code);
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

StagingDirectory::StagingDirectory(fs::path destination, fs::path path)
    : destination_(std::move(destination)), path_(std::move(path)) {}

StagingDirectory::StagingDirectory(StagingDirectory&& other) noexcept
    : destination_(std::move(other.destination_)), path_(std::move(other.path_)) {
  other.path_.clear();
}

StagingDirectory::~StagingDirectory() {
  if (path_.empty()) return;
  std::error_code code;
  fs::remove_all(path_, code);
  const std::lock_guard lock(open_mutex);
  open_directories().erase(path_);
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
  if (!fs::is_directory(parent_of(destination), code)) {
    return make_error(ErrorKind::kIo, "{}: no such directory", parent_of(destination).string());
  }
  remove_abandoned(destination);
  std::string pattern =
      (parent_of(destination) / (prefix_of(destination) + std::to_string(::getpid()) + "-XXXXXX"))
          .string();
  // Under the lock, so that an interrupt finds either no directory or one it knows of.
  const std::lock_guard lock(open_mutex);
  if (::mkdtemp(pattern.data()) == nullptr) {
    return make_error(ErrorKind::kIo, "{}: cannot be written to: {}",
                      parent_of(destination).string(), std::strerror(errno));
  }
  open_directories().insert(pattern);
  all_committed = false;
  return StagingDirectory(destination, pattern);
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
  if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, destination_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) {
      return make_error(ErrorKind::kIo, "{}: exists already; a release is never overwritten",
                        destination_.string());
    }
    return make_error(ErrorKind::kIo, "{}: {}", destination_.string(), std::strerror(errno));
  }
  open_directories().erase(path_);
  all_committed = open_directories().empty();
  path_.clear();
  return sync_directory(parent_of(destination_));
}

bool discard_staging_directories() {
  std::unique_lock lock(open_mutex);
  if (all_committed) return false;
  std::error_code code;
  for (const fs::path& path : open_directories()) {
    // Another thread may be writing: once the directory has another name, no file can be added to
    // it by its old one, and emptying it comes to an end.
    fs::path aside = path;
    aside += "-discarded";
    fs::rename(path, aside, code);
    fs::remove_all(code ? path : aside, code);
  }
  lock.release();
  return true;
}

}  // namespace privpfc
