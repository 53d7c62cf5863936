// Which files are believed to be the user's own ledger, whole under the one name they have.

#include "privpfc/release/ledger_place.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "privpfc/release/ledger.h"
#include "support/temporary_folder.h"
#include "support/test_budget.h"

using namespace privpfc;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kStranger = 65534;

void write_ledger(const fs::path& file) {
  Ledger ledger = Ledger::open_or_create(file).value();
  REQUIRE(ledger.add_dataset("adult", eps("1"), "2026-01-31T12:00:00Z").ok());
}

std::string refusal_of(const fs::path& file) {
  const Result<Ledger> result = Ledger::open(file);
  return result.ok() ? "accepted" : result.error().message;
}

bool says(const std::string& message, const char* part) {
  return message.find(part) != std::string::npos;
}

bool is_root() {
  return ::geteuid() == 0;
}

}  // namespace

TEST_CASE("a missing ledger, a folder and a symbolic link are refused") {
  TemporaryFolder folder;
  CHECK(says(refusal_of(folder / "none.db"), "does not exist"));
  CHECK(says(refusal_of(folder.path()), "is not a file"));
  write_ledger(folder / "l.db");
  fs::create_symlink(folder / "l.db", folder / "link.db");
  CHECK(says(refusal_of(folder / "link.db"), "symbolic link"));
  fs::create_symlink(folder / "nowhere.db", folder / "dangling.db");
  CHECK_FALSE(Ledger::open_or_create(folder / "dangling.db").ok());
  CHECK_FALSE(fs::exists(folder / "nowhere.db"));
}

TEST_CASE("a ledger that others can write to is refused; a new one is for its owner only") {
  TemporaryFolder folder;
  const fs::path file = folder / "l.db";
  const mode_t before = umask(0);
  write_ledger(file);
  umask(before);
  struct stat info {};
  REQUIRE(stat(file.c_str(), &info) == 0);
  CHECK((info.st_mode & 07777) == 0600);
  for (const mode_t mode : {0602U, 0620U, 0666U}) {
    chmod(file.c_str(), mode);
    CHECK(says(refusal_of(file), "can be written by others"));
  }
  chmod(file.c_str(), 0644);
  CHECK(Ledger::open(file).ok());
}

TEST_CASE("a folder that others may write to holds no ledger, be it sticky or not") {
  TemporaryFolder folder;
  const fs::path file = folder / "l.db";
  write_ledger(file);
  for (const mode_t mode : {0777U, 01777U, 0702U, 01702U}) {
    CAPTURE(mode);
    chmod(folder.path().c_str(), mode);
    CHECK(says(refusal_of(file), "anybody may write to"));
    // Nor is one made there.
    CHECK_FALSE(Ledger::open_or_create(folder / "new.db").ok());
    CHECK_FALSE(fs::exists(folder / "new.db"));
  }
  for (const mode_t mode : {0700U, 0755U, 0775U}) {
    CAPTURE(mode);
    chmod(folder.path().c_str(), mode);
    CHECK(refusal_of(file) == "accepted");
  }
  if (!is_root()) return;
  REQUIRE(chown(folder.path().c_str(), kStranger, kStranger) == 0);
  CHECK(says(refusal_of(file), "a group other than your own"));
  chmod(folder.path().c_str(), 0755);
  CHECK(refusal_of(file) == "accepted");
}

TEST_CASE("another user's ledger is refused, to root too" * doctest::skip(!is_root())) {
  TemporaryFolder folder;
  const fs::path file = folder / "l.db";
  write_ledger(file);
  REQUIRE(chown(file.c_str(), kStranger, kStranger) == 0);
  CHECK(says(refusal_of(file), "belongs to another user"));
}

TEST_CASE("what another user puts beside a ledger is not believed" * doctest::skip(!is_root())) {
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    CAPTURE(suffix);
    TemporaryFolder folder;
    const fs::path file = folder / "l.db";
    const fs::path beside = file.string() + suffix;
    write_ledger(file);
    std::ofstream(beside).close();
    CHECK(refusal_of(file) == "accepted");  // SQLite removes or ignores an empty one
    std::ofstream(beside).close();
    REQUIRE(chown(beside.c_str(), kStranger, kStranger) == 0);
    CHECK(says(refusal_of(file), "belongs to another user"));
    CHECK(says(refusal_of(file), suffix));
  }
}

TEST_CASE("what is beside a ledger is a file of one name that nobody else can write to") {
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    CAPTURE(suffix);
    TemporaryFolder folder;
    const fs::path file = folder / "l.db";
    const fs::path beside = file.string() + suffix;
    write_ledger(file);
    fs::create_symlink(folder / "elsewhere", beside);
    CHECK(says(refusal_of(file), "is not a file"));
    fs::remove(beside);
    std::ofstream(beside).close();
    chmod(beside.c_str(), 0666);
    CHECK(says(refusal_of(file), "can be written by others"));
    chmod(beside.c_str(), 0600);
    fs::create_hard_link(beside, folder / "elsewhere");
    CHECK(says(refusal_of(file), "has 2 names"));
  }
}

TEST_CASE("a ledger with two names is refused under both") {
  TemporaryFolder folder;
  write_ledger(folder / "l.db");
  fs::create_directory(folder / "sub");
  fs::create_hard_link(folder / "l.db", folder / "sub/other.db");
  CHECK(says(refusal_of(folder / "l.db"), "has 2 names"));
  CHECK(says(refusal_of(folder / "sub/other.db"), "has 2 names"));
  fs::remove(folder / "l.db");
  CHECK(refusal_of(folder / "sub/other.db") == "accepted");
}

TEST_CASE("a ledger that is mounted by itself is refused; a mounted folder is fine" *
          doctest::skip(!is_root())) {
  TemporaryFolder folder;
  write_ledger(folder / "l.db");
  std::ofstream(folder / "mounted.db").close();
  fs::create_directory(folder / "sub");
  // In a process of its own, so that no mount outlives it. Exit codes: 0 as it should be, 1 not, 2
  // mounting is not allowed here.
  const auto mount_and_look = [&]() -> int {
    const auto mount_at = [&](const fs::path& from, const char* to) {
      return ::mount(from.c_str(), (folder / to).c_str(), nullptr, MS_BIND, nullptr) == 0;
    };
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        !mount_at(folder / "l.db", "mounted.db") || !mount_at(folder.path(), "sub")) {
      return 2;
    }
    const bool fine = says(refusal_of(folder / "mounted.db"), "is mounted by itself") &&
                      refusal_of(folder / "sub/l.db") == "accepted";
    return fine ? 0 : 1;
  };
  const pid_t child = ::fork();
  if (child == 0) ::_exit(mount_and_look());
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) {
    MESSAGE("not tested: mounting is not allowed here");
    return;
  }
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("where a ledger is gone and its journal is not, no new one is made") {
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    TemporaryFolder folder;
    std::ofstream((folder / "l.db").string() + suffix) << "left";
    const Result<Ledger> made = Ledger::open_or_create(folder / "l.db");
    REQUIRE_FALSE(made.ok());
    CHECK(says(made.error().message, "is left of it"));
    CHECK_FALSE(fs::exists(folder / "l.db"));
  }
}
