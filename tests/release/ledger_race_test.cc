// Many processes on one ledger.

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <vector>

#include "privpfc/release/ledger.h"
#include "support/effort.h"
#include "support/seeded_bits.h"
#include "support/temporary_folder.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

constexpr std::size_t kProcesses = 64;
constexpr int kRoom = 10;
const std::string kTime = "2026-01-31T12:00:00Z";

// A publisher: withdraws, then "releases" by writing one byte to the pipe. Exit code: 0 released, 5
// refused by the cap, anything else is a fault.
[[noreturn]] void be_a_publisher(const std::filesystem::path& file, int releases) {
  auto ledger = Ledger::open(file);
  if (!ledger.ok()) {
    (void)!write(2, ledger.error().message.data(), ledger.error().message.size());
    _exit(6);
  }
  const auto budget = ledger->withdraw("adult", eps("0.1"), "publish", kTime);
  if (!budget.ok()) _exit(static_cast<int>(budget.error().kind));
  if (write(releases, "r", 1) != 1) _exit(1);
  _exit(0);
}

struct Outcome {
  int released = 0;
  int refused = 0;
  int killed = 0;
  int faults = 0;
  int released_bytes = 0;
};

Outcome race(const std::filesystem::path& file, std::size_t kills, SeededBits& bits) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  // All wait at a gate until the last one is there, so that they do race and kills find them alive.
  std::array<int, 2> gate{};
  REQUIRE(pipe(gate.data()) == 0);
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      close(gate[1]);
      char byte = 0;
      while (read(gate[0], &byte, 1) > 0) {
      }
      be_a_publisher(file, ends[1]);
    }
    children.push_back(child);
  }
  close(ends[1]);
  close(gate[0]);
  close(gate[1]);
  std::vector<pid_t> victims = children;
  for (std::size_t i = 0; i < kills; ++i) {
    std::swap(victims[i], victims[i + bits.bits(32) % (victims.size() - i)]);
    usleep(static_cast<useconds_t>(bits.bits(11)));
    kill(victims[i], SIGKILL);
  }
  Outcome outcome;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      ++outcome.killed;
    } else if (WEXITSTATUS(status) == 0) {
      ++outcome.released;
    } else if (WEXITSTATUS(status) == 5) {
      ++outcome.refused;
    } else {
      ++outcome.faults;
    }
  }
  char byte = 0;
  while (read(ends[0], &byte, 1) == 1) ++outcome.released_bytes;
  close(ends[0]);
  return outcome;
}

}  // namespace

TEST_CASE("64 processes on a cap with room for ten: exactly ten get through") {
  TemporaryFolder folder;
  const auto file = folder / "l.db";
  REQUIRE(Ledger::open_or_create(file).value().add_dataset("adult", eps("1"), kTime).ok());
  SeededBits bits(1);
  const Outcome outcome = race(file, 0, bits);
  CHECK(outcome.released == kRoom);
  CHECK(outcome.refused == static_cast<int>(kProcesses) - kRoom);
  CHECK(outcome.faults == 0);
  CHECK(Ledger::open(file).value().history().value().find("adult")->spent == eps("1"));
}

TEST_CASE("the same on a ledger in write-ahead mode, which one of them must leave first") {
  TemporaryFolder folder;
  const auto file = folder / "l.db";
  REQUIRE(Ledger::open_or_create(file).value().add_dataset("adult", eps("1"), kTime).ok());
  {
    sqlite3* connection = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &connection) == SQLITE_OK);
    REQUIRE(sqlite3_exec(connection, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr) ==
            SQLITE_OK);
    sqlite3_close(connection);
  }
  SeededBits bits(3);
  const Outcome outcome = race(file, 0, bits);
  CHECK(outcome.released == kRoom);
  CHECK(outcome.refused == static_cast<int>(kProcesses) - kRoom);
  CHECK(outcome.faults == 0);
  CHECK(Ledger::open(file).value().history().value().find("adult")->spent == eps("1"));
}

TEST_CASE("half of 64 processes killed at random moments: at most ten, and spent >= released") {
  SeededBits bits(2);
  int killed = 0;
  const int rounds = thorough() ? 200 : 10;
  for (int round = 0; round < rounds; ++round) {
    TemporaryFolder folder;
    const auto file = folder / "l.db";
    REQUIRE(Ledger::open_or_create(file).value().add_dataset("adult", eps("1"), kTime).ok());
    const Outcome outcome = race(file, kProcesses / 2, bits);
    killed += outcome.killed;
    CHECK(outcome.faults == 0);
    Ledger ledger = Ledger::open(file).value();  // still sound
    CHECK(ledger.verify(std::nullopt).ok());
    const LedgerAccount account = *ledger.history().value().find("adult");
    CHECK(account.debits <= kRoom);
    CHECK(outcome.released_bytes <= static_cast<int>(account.debits));
    // And it goes on: what is left can still be withdrawn.
    for (std::uint64_t i = account.debits; i < kRoom; ++i) {
      CHECK(ledger.withdraw("adult", eps("0.1"), "publish", kTime).ok());
    }
    CHECK_FALSE(ledger.withdraw("adult", eps("0.1"), "publish", kTime).ok());
  }
  CHECK(killed > 0);
}

TEST_CASE("64 processes that all make the ledger get one ledger") {
  TemporaryFolder folder;
  const auto file = folder / "l.db";
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      auto ledger = Ledger::open_or_create(file);
      if (!ledger.ok() || !ledger->ensure_dataset("adult", kTime).ok()) _exit(1);
      _exit(ledger->withdraw("adult", eps("0.1"), "publish", kTime).ok() ? 0 : 2);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  }
  CHECK(Ledger::open(file).value().history().value().find("adult")->debits == kProcesses);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(entry.path().string().find(".new-") == std::string::npos);  // no litter
  }
}
