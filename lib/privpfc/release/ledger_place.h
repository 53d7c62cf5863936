#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "privpfc/base/result.h"

namespace privpfc {

template <typename... Args>
Error ledger_refusal(const std::filesystem::path& file, fmt::format_string<Args...> format,
                     Args&&... args) {
  return make_error(ErrorKind::kIo, "the ledger '{}' {}", file.string(),
                    fmt::format(format, std::forward<Args>(args)...));
}

// Whether a ledger may be made under this name: nobody else could put something else there, and
// nothing is left of another one.
Status require_place_for_ledger(const std::filesystem::path& file);

// Whether the file under this name may be believed: nobody but its owner, who is the user, could
// have changed or replaced it or what SQLite keeps beside it; and it has no other name, beside
// which a part of it could lie (docs/decisions/0008-a-ledger-has-one-name.md).
//
// The owners of its folder and of the folders above, and root, are trusted.
Status require_guarded_ledger(const std::filesystem::path& file);

}  // namespace privpfc
