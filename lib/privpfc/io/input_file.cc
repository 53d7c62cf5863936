#include "privpfc/io/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "privpfc/io/reason.h"

namespace privpfc {

namespace {

namespace fs = std::filesystem;

// What only a release has together; the names are those of release/manifest.h, a later room.
bool is_release(const fs::path& directory) {
  std::error_code ignored;
  return fs::exists(directory / "manifest.json", ignored) &&
         fs::exists(directory / "synthetic.parquet", ignored);
}

Result<std::vector<fs::path>> files_of_directory(const fs::path& directory) {
  if (is_release(directory)) {
    return make_error(ErrorKind::kData,
                      "{} is a release, not a directory of data files; name the files that hold "
                      "the rows (the release's own, synthetic ones are in {})",
                      directory.string(), (directory / "synthetic.parquet").string());
  }
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    const std::string name = path.filename().string();
    if (name.starts_with('.') || name.starts_with('_')) continue;
    if (!format_of(path)) {
      return make_error(
          ErrorKind::kData,
          "{} is neither a .csv nor a .parquet file; move it out of the directory, or "
          "name the data files one by one",
          path.string());
    }
    files.push_back(path);
  }
  if (error) {
    return make_error(ErrorKind::kIo, "cannot list {}: {}", directory.string(), error.message());
  }
  if (files.empty()) {
    return make_error(ErrorKind::kData, "the directory {} holds no data files", directory.string());
  }
  std::ranges::sort(files);
  return files;
}

Result<FileFormat> format_by_content(const fs::path& path) {
  if (const auto format = format_of(path)) return *format;
  PRIVPFC_ASSIGN(InputFile file, InputFile::open(path));
  char magic[4] = {};
  PRIVPFC_ASSIGN(const std::size_t count, file.read(magic, sizeof magic));
  const bool is_parquet = count == 4 && std::memcmp(magic, "PAR1", 4) == 0;
  return is_parquet ? FileFormat::kParquet : FileFormat::kCsv;
}

// A row that is read twice counts twice, and one person then has twice the influence that was
// promised. Names do not tell: links, and a folder beside a file in it, lead to the same file.
Status each_file_once(const std::vector<fs::path>& paths) {
  std::map<std::pair<dev_t, ino_t>, fs::path> seen;
  for (const fs::path& path : paths) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) continue;  // opening it says why
    const auto [first, is_new] = seen.try_emplace({info.st_dev, info.st_ino}, path);
    if (!is_new) {
      return make_error(ErrorKind::kUsage,
                        "{} and {} are the same file, whose rows would count twice; name it once",
                        first->second.string(), path.string());
    }
  }
  return {};
}

}  // namespace

Result<InputFile> InputFile::open(const fs::path& path) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return make_error(ErrorKind::kIo, "cannot open {}: {}", path.string(), reason(errno));
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return make_error(ErrorKind::kData, "{} is not a regular file", path.string());
  }
  return InputFile(path, descriptor, static_cast<std::uint64_t>(status.st_size));
}

InputFile::InputFile(fs::path path, int descriptor, std::uint64_t size)
    : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(other.release()), size_(other.size_) {}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int InputFile::release() {
  return std::exchange(descriptor_, -1);
}

Result<std::size_t> InputFile::read(char* bytes, std::size_t count) {
  while (true) {
    const ssize_t got = ::read(descriptor_, bytes, count);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) {
      return make_error(ErrorKind::kIo, "cannot read {}: {}", path_.string(), reason(errno));
    }
  }
}

Result<std::size_t> InputFile::read_at(std::uint64_t offset, char* bytes, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got =
        ::pread(descriptor_, bytes + done, count - done, static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) {
      return make_error(ErrorKind::kIo, "cannot read {}: {}", path_.string(), reason(errno));
    }
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<InputFiles> list_input_files(const std::vector<fs::path>& paths) {
  InputFiles files;
  for (const fs::path& path : paths) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      PRIVPFC_ASSIGN(std::vector<fs::path> entries, files_of_directory(path));
      files.paths.insert(files.paths.end(), entries.begin(), entries.end());
    } else {
      files.paths.push_back(path);
    }
  }
  if (files.paths.empty()) return make_error(ErrorKind::kUsage, "no data file was named");
  PRIVPFC_TRY(each_file_once(files.paths));
  PRIVPFC_ASSIGN(files.format, format_by_content(files.paths[0]));
  for (const fs::path& path : files.paths) {
    PRIVPFC_ASSIGN(const FileFormat format, format_by_content(path));
    if (format != files.format) {
      return make_error(ErrorKind::kData,
                        "{} and {} are of different formats; read CSV and Parquet files apart",
                        files.paths[0].string(), path.string());
    }
  }
  return files;
}

}  // namespace privpfc
