#pragma once

#include <filesystem>
#include <string>

#include "privpfc/base/result.h"
#include "privpfc/release/manifest.h"

namespace privpfc {

// The size and SHA-256 of a file in a release directory.
Result<Manifest::File> hash_file(const std::filesystem::path& directory, const std::string& name);

}  // namespace privpfc
