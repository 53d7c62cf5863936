#include "privpfc/release/ledger_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "privpfc/release/folder.h"

namespace privpfc {
namespace {

namespace fs = std::filesystem;

// SQLite believes what it finds under these names: they undo or add lines.
constexpr std::array kSidecars{"-journal", "-wal", "-shm"};

// A sticky folder such as /tmp is no better than any other that all may write to: names beside the
// ledger are free for whoever comes first.
Status require_guarded_folder(const fs::path& file) {
  struct stat folder {};
  if (::stat(folder_of(file).c_str(), &folder) != 0) {
    return ledger_refusal(file, "is in a folder that cannot be looked at: {}",
                          std::strerror(errno));
  }
  if ((folder.st_mode & S_IWOTH) != 0) {
    return ledger_refusal(file,
                          "is in a folder that anybody may write to; keep it in one of your own "
                          "(`mkdir -m 700`)");
  }
  if ((folder.st_mode & S_IWGRP) != 0 && folder.st_gid != ::getegid()) {
    return ledger_refusal(file,
                          "is in a folder that a group other than your own may write to; put that "
                          "right with `chmod g-w` on the folder");
  }
  return {};
}

Status require_own(const fs::path& file, const std::string& subject, const struct stat& info) {
  if (!S_ISREG(info.st_mode)) return ledger_refusal(file, "{}is not a file", subject);
  if (info.st_uid != ::geteuid()) {
    return ledger_refusal(
        file, "{}belongs to another user: let that user run this, or find out how it came there",
        subject);
  }
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return ledger_refusal(file, "{}can be written by others; put that right with `chmod 600`",
                          subject);
  }
  if (info.st_nlink > 1) {
    return ledger_refusal(file, "{}has {} names (hard links); remove all but one", subject,
                          info.st_nlink);
  }
  return {};
}

// A file that is mounted by itself has another name in another folder. Kernels before 5.8 cannot
// tell.
bool is_mounted_by_itself(const fs::path& file) {
  struct statx info {};
  return ::statx(AT_FDCWD, file.c_str(), AT_SYMLINK_NOFOLLOW, 0, &info) == 0 &&
         (info.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

}  // namespace

Status require_place_for_ledger(const fs::path& file) {
  PRIVPFC_TRY(require_guarded_folder(file));
  for (const char* suffix : kSidecars) {
    const fs::path sidecar = file.string() + suffix;
    struct stat info {};
    // Looked for in this order, because others may be making the ledger and using it at once.
    if (::lstat(sidecar.c_str(), &info) == 0 && ::lstat(file.c_str(), &info) != 0) {
      return ledger_refusal(file,
                            "is gone, but '{}' is left of it: bring it back, or remove that file "
                            "too if nothing was released on its record",
                            sidecar.string());
    }
  }
  return {};
}

Status require_guarded_ledger(const fs::path& file) {
  struct stat info {};
  if (::lstat(file.c_str(), &info) != 0) {
    if (errno == ENOENT) {
      return ledger_refusal(file, "does not exist; make it with `privpfc ledger init`");
    }
    return ledger_refusal(file, "cannot be read: {}", std::strerror(errno));
  }
  if (S_ISLNK(info.st_mode)) {
    return ledger_refusal(file, "is a symbolic link; name the file itself");
  }
  PRIVPFC_TRY(require_own(file, "", info));
  if (is_mounted_by_itself(file)) {
    return ledger_refusal(file, "is mounted by itself; mount its folder instead");
  }
  PRIVPFC_TRY(require_guarded_folder(file));
  for (const char* suffix : kSidecars) {
    const fs::path sidecar = file.string() + suffix;
    if (::lstat(sidecar.c_str(), &info) == 0) {
      PRIVPFC_TRY(
          require_own(file, fmt::format("cannot be trusted: '{}' ", sidecar.string()), info));
    } else if (errno != ENOENT) {
      return ledger_refusal(file, "cannot be trusted: '{}': {}", sidecar.string(),
                            std::strerror(errno));
    }
  }
  return {};
}

}  // namespace privpfc
