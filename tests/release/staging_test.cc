#include "privpfc/release/staging.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

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
  while (!discard_staging_directories()) {
  }
  // Time in which a directory made too late would be seen.
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::_exit(0);
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
