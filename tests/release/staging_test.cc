#include "privpfc/release/staging.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include "forbidden_call.h"
#include "support/temporary_folder.h"

using namespace privpfc;
namespace fs = std::filesystem;

namespace {

// What a process does that is interrupted after `delay` while it makes, fills and drops staging
// directories: it ends inside.
[[noreturn]] void be_interrupted(const fs::path& destination, std::chrono::microseconds delay) {
  std::thread([destination] {
    for (;;) {
      auto staging = StagingDirectory::create(destination);
      for (int file = 0; file < 20; ++file) {
        (void)staging->write_file(std::to_string(file), "text");
      }
    }
  }).detach();
  std::this_thread::sleep_for(delay);
  (void)discard_staging_directories();
  // Time in which a directory made too late would be seen.
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::_exit(0);
}

// What comes of a commit after `meanwhile` has happened, on a file system that does not know how to
// rename without replacing: its message, or "fine".
std::string commit_without_renameat2(const fs::path& destination, int error_number,
                                     const std::function<void()>& meanwhile) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::string answer = "fine";
    {
      auto staging = StagingDirectory::create(destination);
      (void)staging->write_file("a", "text");
      meanwhile();
      const Status committed =
          forbid_call(__NR_renameat2, SECCOMP_RET_ERRNO | static_cast<unsigned>(error_number))
              ? staging->commit()
              : Status(Error{{}, "no seccomp"});
      if (!committed.ok()) answer = committed.error().message;
    }
    (void)!::write(ends[1], answer.data(), answer.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string answer(4096, '\0');
  answer.resize(
      static_cast<std::size_t>(std::max(::read(ends[0], answer.data(), 4096), ssize_t{0})));
  ::close(ends[0]);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  return answer;
}

}  // namespace

TEST_CASE("a staging directory appears whole or leaves nothing") {
  const TemporaryFolder folder;
  {
    auto staging = StagingDirectory::create(folder / "release");
    REQUIRE(staging.ok());
    REQUIRE(staging->write_file("a", "text").ok());
    CHECK_FALSE(fs::exists(folder / "release"));
  }
  CHECK(fs::is_empty(folder.path()));
  auto staging = StagingDirectory::create(folder / "release");
  REQUIRE(staging.ok());
  REQUIRE(staging->write_file("a", "text").ok());
  REQUIRE(staging->commit().ok());
  CHECK(fs::file_size(folder / "release" / "a") == 4);
  CHECK_FALSE(StagingDirectory::create(folder / "release").ok());
  CHECK_FALSE(StagingDirectory::create(folder / "no" / "release").ok());
}

TEST_CASE("a process that can open no more files removes what it has begun") {
  const TemporaryFolder folder;
  rlimit usual{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &usual) == 0);
  {
    auto staging = StagingDirectory::create(folder / "release");
    REQUIRE(staging.ok());
    REQUIRE(staging->write_file("a", "text").ok());
    const rlimit none{.rlim_cur = 0, .rlim_max = usual.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    CHECK_FALSE(staging->write_file("b", "text").ok());
  }
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &usual) == 0);
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a destination that appears meanwhile is not overwritten") {
  const TemporaryFolder folder;
  auto staging = StagingDirectory::create(folder / "release");
  REQUIRE(staging.ok());
  fs::create_directory(folder / "release");
  const Status committed = staging->commit();
  REQUIRE_FALSE(committed.ok());
  CHECK(committed.error().message.find("never overwritten") != std::string::npos);
  CHECK(fs::is_empty(folder / "release"));
}

TEST_CASE("what a killed process left behind is removed by the next one") {
  const TemporaryFolder folder;
  fs::create_directory(folder / ".release.unfinished-999999999-abcdef");
  fs::create_directory(folder / ".other.unfinished-999999999-abcdef");
  auto staging = StagingDirectory::create(folder / "release");
  REQUIRE(staging.ok());
  CHECK_FALSE(fs::exists(folder / ".release.unfinished-999999999-abcdef"));
  CHECK(fs::exists(folder / ".other.unfinished-999999999-abcdef"));
}

TEST_CASE("what another is still at work on is left alone") {
  const TemporaryFolder folder;
  auto first = StagingDirectory::create(folder / "release");
  REQUIRE(first.ok());
  auto second = StagingDirectory::create(folder / "release");
  REQUIRE(second.ok());
  CHECK(first->path() != second->path());
  CHECK(first->write_file("a", "text").ok());
  CHECK(first->commit().ok());
  CHECK(fs::exists(folder / "release" / "a"));
}

TEST_CASE("an interrupt leaves no unfinished directory, whenever it comes") {
  const TemporaryFolder folder;
  for (int round = 0; round < 60; ++round) {
    const pid_t child = ::fork();
    if (child == 0) be_interrupted(folder / "release", std::chrono::microseconds(round * 50));
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(fs::is_empty(folder.path()));
  }
}

TEST_CASE("a file system that cannot rename without replacing gets its release all the same") {
  for (const int error_number : {EINVAL, ENOSYS, EOPNOTSUPP}) {
    CAPTURE(error_number);
    const TemporaryFolder folder;
    const fs::path release = folder / "release";
    CHECK(commit_without_renameat2(release, error_number, [] {}) == "fine");
    CHECK(fs::file_size(release / "a") == 4);
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
  }
}

TEST_CASE("nor does it overwrite anything there: neither a directory nor a file nor a link") {
  const TemporaryFolder folder;
  const fs::path release = folder / "release";
  const auto refused = [&](const std::function<void()>& meanwhile) {
    const std::string answer = commit_without_renameat2(release, EINVAL, meanwhile);
    const bool fine = answer.find("never overwritten") != std::string::npos &&
                      std::distance(fs::directory_iterator(folder.path()), {}) == 1 &&
                      !fs::exists(release / "a");
    fs::remove_all(release);
    return fine;
  };
  CHECK(refused([&] { fs::create_directory(release); }));
  CHECK(refused([&] { fs::create_directories(release / "b"); }));
  CHECK(refused([&] { std::ofstream(release) << "text"; }));
  CHECK(refused([&] { fs::create_symlink("nowhere", release); }));
}

TEST_CASE("an interrupt is told whether there was something to remove, and removes nothing whole") {
  const auto told = [](const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
      work();
      ::_exit(static_cast<int>(discard_staging_directories()));
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return static_cast<Discarded>(WEXITSTATUS(status));
  };
  const TemporaryFolder folder;
  CHECK(told([&] {
          // Never dropped: the process ends first.
          new StagingDirectory(StagingDirectory::create(folder / "release").value());
        }) == Discarded::kUnfinished);
  CHECK(fs::is_empty(folder.path()));
  CHECK(told([&] { (void)StagingDirectory::create(folder / "release").value().commit(); }) ==
        Discarded::kNothingAsAllIsDone);
  CHECK(fs::exists(folder / "release"));
}
