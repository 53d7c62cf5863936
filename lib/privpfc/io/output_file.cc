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

}  // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& path, bool overwrite,
                                      unsigned mode) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (overwrite ? 0 : O_EXCL);
  const int descriptor = ::open(path.c_str(), flags, static_cast<mode_t>(mode));
  if (descriptor < 0) {
    if (errno == EEXIST) {
      return make_error(ErrorKind::kIo, "{} exists already; choose another name or remove it first",
                        path.string());
    }
    return make_error(ErrorKind::kIo, "cannot create {}: {}", path.string(), reason(errno));
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return make_error(ErrorKind::kIo, "{} is not a regular file; give a file to write to",
                      path.string());
  }
  // Emptied only now that it is known to be a regular file.
  if (overwrite && ::ftruncate(descriptor, 0) != 0) {
    const int error_number = errno;
    ::close(descriptor);
    return make_error(ErrorKind::kIo, "cannot empty {}: {}", path.string(), reason(error_number));
  }
  return OutputFile(path, descriptor);
}

OutputFile::OutputFile(std::filesystem::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
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
  ::unlink(path_.c_str());
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
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    const int error_number = errno;
    ::unlink(path_.c_str());
    return failed("close", error_number);
  }
  if (sync) {
    if (const int error_number = sync_directory(path_.parent_path()); error_number != 0) {
      ::unlink(path_.c_str());
      return failed("sync the directory of", error_number);
    }
  }
  return {};
}

}  // namespace privpfc
