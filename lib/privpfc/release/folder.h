#pragma once

#include <filesystem>

namespace privpfc {

// Where a file or directory of this name stands.
inline std::filesystem::path folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

}  // namespace privpfc
