#include "privpfc/release/file_hash.h"

#include <fstream>

#include "privpfc/base/sha256.h"

namespace privpfc {

Result<Manifest::File> hash_file(const std::filesystem::path& directory, const std::string& name) {
  const std::filesystem::path path = directory / name;
  std::error_code code;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, code)) {
    return make_error(ErrorKind::kIo, "{}: cannot be opened", path.string());
  }
  Manifest::File result{name, "", 0};
  Sha256 hash;
  std::string piece(std::size_t{1} << 20, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    const auto bytes = static_cast<std::size_t>(file.gcount());
    hash.update(std::string_view(piece).substr(0, bytes));
    result.bytes += bytes;
  }
  if (file.bad()) return make_error(ErrorKind::kIo, "{}: cannot be read", path.string());
  result.sha256 = hash.finish_hex();
  return result;
}

}  // namespace privpfc
