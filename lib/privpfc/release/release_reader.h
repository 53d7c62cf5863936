#pragma once

#include <filesystem>

#include "privpfc/base/result.h"
#include "privpfc/release/manifest.h"
#include "privpfc/schema/schema.h"

namespace privpfc {

// A release as it lies on the disk.
struct Release {
  std::filesystem::path directory;
  Schema schema;
  Manifest manifest;  // its synopsis has the counts too once read_release_counts() was called
};

// Reads the schema and the manifest, and that they belong together.
Result<Release> open_release(const std::filesystem::path& directory);

// Reads the released counts into release.manifest.synopsis.
Status read_release_counts(Release& release);

}  // namespace privpfc
