#include "privpfc/release/release_reader.h"

#include <unistd.h>

#include <cerrno>

#include "privpfc/base/text_file.h"
#include "privpfc/release/cells_file.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"

namespace privpfc {

Result<Release> open_release(const std::filesystem::path& directory) {
  if (::access((directory / kManifestFile).c_str(), R_OK) != 0 && errno == EACCES) {
    return make_error(ErrorKind::kIo,
                      "{}: may not be read (permission denied): a release is its owner's alone "
                      "until they pass it on (chmod -R a+rX RELEASE)",
                      directory.string());
  }
  std::error_code code;
  if (!std::filesystem::is_directory(directory, code) ||
      !std::filesystem::exists(directory / kManifestFile, code)) {
    return make_error(ErrorKind::kIo, "{}: is not a release directory (it has no {})",
                      directory.string(), kManifestFile);
  }
  PRIVPFC_ASSIGN(Schema schema, load_schema((directory / kSchemaFile).string()));
  PRIVPFC_ASSIGN(const std::string json,
                 read_text_file((directory / kManifestFile).string(), std::size_t{64} << 20));
  PRIVPFC_ASSIGN(Manifest manifest, read_manifest(json, schema));
  if (manifest.schema_sha256 != schema_hash(schema)) {
    return make_error(ErrorKind::kData, "{}: {} is not the schema that the manifest names",
                      directory.string(), kSchemaFile);
  }
  return Release{directory, std::move(schema), std::move(manifest)};
}

Status read_release_counts(Release& release) {
  Synopsis& synopsis = release.manifest.synopsis;
  PRIVPFC_TRY(read_cells(release.directory / kCellsFile, release.schema, synopsis));
  if (!synopsis.side_columns.empty()) {
    PRIVPFC_TRY(read_side_columns(release.directory / kColumnsFile, release.schema, synopsis));
  }
  return {};
}

}  // namespace privpfc
