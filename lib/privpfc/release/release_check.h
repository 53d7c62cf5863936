#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "privpfc/base/result.h"

namespace privpfc {

// One thing that was checked about a release.
struct ReleaseFinding {
  std::string check;
  bool passed = false;
  std::string detail;
};

// Checks that every file is the one that was released, that the epsilons of the steps add up to the
// promised one, that nothing else lies in the directory, and that the synthetic table can be
// rebuilt from the cells bit for bit. An error only if the directory cannot be read as a release.
Result<std::vector<ReleaseFinding>> check_release(const std::filesystem::path& directory);

}  // namespace privpfc
