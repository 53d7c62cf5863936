#include "output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace privpfc::cli {

Status finish_output() {
  const bool lost_some = std::ferror(stdout) != 0;
  if (std::fflush(stdout) != 0) {
    return make_error(ErrorKind::kIo, "cannot write to standard output: {}", std::strerror(errno));
  }
  if (lost_some) return make_error(ErrorKind::kIo, "cannot write to standard output");
  return {};
}

Status write_output(const std::string& path, std::string_view text) {
  if (path.empty()) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return finish_output();
    return make_error(ErrorKind::kIo, "cannot write to standard output: {}", std::strerror(errno));
  }
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST) {
    return make_error(ErrorKind::kIo, "{}: exists already; choose another name or remove it first",
                      path);
  }
  if (file < 0) return make_error(ErrorKind::kIo, "{}: {}", path, std::strerror(errno));
  int problem = 0;
  while (!text.empty() && problem == 0) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) problem = errno;
  }
  if (::close(file) != 0 && problem == 0) problem = errno;
  if (problem == 0) return {};
  ::unlink(path.c_str());
  return make_error(ErrorKind::kIo, "{}: {}", path, std::strerror(problem));
}

}  // namespace privpfc::cli
