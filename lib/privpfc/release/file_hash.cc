#include "privpfc/release/file_hash.h"

#include "privpfc/base/sha256.h"
#include "privpfc/io/input_file.h"

namespace privpfc {

Result<Manifest::File> hash_file(const std::filesystem::path& directory, const std::string& name) {
  PRIVPFC_ASSIGN(InputFile file, InputFile::open(directory / name));
  Manifest::File result{name, "", 0};
  Sha256 hash;
  std::string piece(std::size_t{1} << 20, '\0');
  while (true) {
    PRIVPFC_ASSIGN(const std::size_t bytes, file.read(piece.data(), piece.size()));
    if (bytes == 0) break;
    hash.update(std::string_view(piece).substr(0, bytes));
    result.bytes += bytes;
  }
  result.sha256 = hash.finish_hex();
  return result;
}

}  // namespace privpfc
