#include "privpfc/io/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "privpfc/io/reason.h"

namespace privpfc {

namespace {

// A new name is durable only once its directory is.
int sync_directory(const std::filesystem::path& directory) {
  const int descriptor =
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error_number = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error_number;
}

// A file without a name, or, where the file system has no such thing, with another one.
int open_beside(const std::filesystem::path& path, unsigned mode, std::string& name) {
  const std::filesystem::path folder = path.parent_path();
  const int unnamed = ::open(folder.empty() ? "." : folder.c_str(),
                             O_WRONLY | O_TMPFILE | O_CLOEXEC, static_cast<mode_t>(mode));
  if (unnamed >= 0) {
    name = "/proc/self/fd/" + std::to_string(unnamed);
    return unnamed;
  }
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return -1;
  name = path.string() + ".unfinished-" + std::to_string(::getpid());
  return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode));
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& path, bool overwrite,
                                      unsigned mode) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    if (overwrite) return reopen(path);
    return make_error(ErrorKind::kIo, "{} exists already; choose another name or remove it first",
                      path.string());
  }
  std::string unfinished;
  const int descriptor = open_beside(path, mode, unfinished);
  if (descriptor < 0) {
    return make_error(ErrorKind::kIo, "cannot create {}: {}", path.string(), reason(errno));
  }
  return OutputFile(path, std::move(unfinished), descriptor);
}

Result<OutputFile> OutputFile::reopen(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return make_error(ErrorKind::kIo, "cannot create {}: {}", path.string(), reason(errno));
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return make_error(ErrorKind::kIo, "{} is not a regular file; give a file to write to",
                      path.string());
  }
  // Emptied only now that it is known to be a regular file.
  if (::ftruncate(descriptor, 0) != 0) {
    const int error_number = errno;
    ::close(descriptor);
    return make_error(ErrorKind::kIo, "cannot empty {}: {}", path.string(), reason(error_number));
  }
  return OutputFile(path, {}, descriptor);
}

OutputFile::OutputFile(std::filesystem::path path, std::string unfinished, int descriptor)
    : path_(std::move(path)), unfinished_(std::move(unfinished)), descriptor_(descriptor) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      unfinished_(std::move(other.unfinished_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      hash_(std::move(other.hash_)),
      syncs_early_(other.syncs_early_),
      synced_(other.synced_) {}

OutputFile::~OutputFile() {
  remove();
}

void OutputFile::remove() noexcept {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  // One without a name goes by itself, and cannot be unlinked.
  ::unlink(unfinished_.empty() ? path_.c_str() : unfinished_.c_str());
}

Status OutputFile::failed(const char* action, int error_number) const {
  return make_error(ErrorKind::kIo, "cannot {} {}: {}", action, path_.string(),
                    reason(error_number));
}

Status OutputFile::write(const void* bytes, std::size_t size) {
  require(descriptor_ >= 0, "write to a closed OutputFile");
  const char* next = static_cast<const char*>(bytes);
  if (hash_) hash_->update({next, size});
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, next, std::min<std::size_t>(size, 1U << 30));
    if (written < 0) {
      if (errno == EINTR) continue;
      return failed("write", errno);
    }
    next += written;
    size -= static_cast<std::size_t>(written);
    size_ += static_cast<std::size_t>(written);
  }
  constexpr std::size_t kSyncBytes = std::size_t{8} << 20;
  if (syncs_early_ && size_ - synced_ >= kSyncBytes) {
    // No more than a hint: keep() syncs for good, and sees what goes wrong.
    (void)::sync_file_range(descriptor_, static_cast<off_t>(synced_),
                            static_cast<off_t>(size_ - synced_), SYNC_FILE_RANGE_WRITE);
    synced_ = size_;
  }
  return {};
}

Status OutputFile::keep(bool sync) {
  require(descriptor_ >= 0, "OutputFile kept twice");
  if (sync && ::fsync(descriptor_) != 0) {
    const int error_number = errno;
    remove();
    return failed("sync", error_number);
  }
  if (!unfinished_.empty()) {
    // Gives it its name, whole as it is; fails where somebody else was first.
    if (::linkat(AT_FDCWD, unfinished_.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      const int error_number = errno;
      remove();
      return failed("create", error_number);
    }
    ::unlink(unfinished_.c_str());
  }
  if (::close(std::exchange(descriptor_, -1)) != 0 && !sync) {
    const int error_number = errno;
    ::unlink(path_.c_str());
    return failed("close", error_number);
  }
  // The file stays even if this fails: it is whole, and somebody may be using it already.
  const int error_number = sync ? sync_directory(path_.parent_path()) : 0;
  if (error_number == 0) return {};
  return make_error(ErrorKind::kIo,
                    "cannot sync the directory of {}: {}; the file is there, whole, but a power "
                    "failure could still take it away",
                    path_.string(), reason(error_number));
}

}  // namespace privpfc
