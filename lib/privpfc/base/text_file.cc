#include "privpfc/base/text_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace privpfc {

Result<std::string> read_text_file(const std::string& path, std::size_t most_bytes) {
  std::error_code code;
  const bool is_regular = std::filesystem::is_regular_file(path, code);
  if (code == std::errc::permission_denied || (is_regular && ::access(path.c_str(), R_OK) != 0)) {
    return make_error(ErrorKind::kIo, "{}: may not be read (permission denied)", path);
  }
  if (!is_regular) {
    return make_error(ErrorKind::kIo, "{}: {}", path,
                      std::filesystem::exists(path, code) ? "not a regular file" : "no such file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return make_error(ErrorKind::kIo, "{}: cannot be opened", path);
  // Read in pieces: the size that the file system tells may be out of date.
  std::string text;
  char piece[1 << 16];
  while (file.read(piece, sizeof piece) || file.gcount() > 0) {
    text.append(piece, static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes) {
      return make_error(ErrorKind::kLimit, "{}: larger than {} MiB", path, most_bytes >> 20);
    }
  }
  if (file.bad()) return make_error(ErrorKind::kIo, "{}: cannot be read", path);
  return text;
}

}  // namespace privpfc
