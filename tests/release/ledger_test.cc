#include "privpfc/release/ledger.h"

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include "forbidden_call.h"
#include "privpfc/release/database.h"
#include "support/temporary_folder.h"
#include "support/test_budget.h"

using namespace privpfc;
namespace fs = std::filesystem;

namespace {

const std::string kTime = "2026-01-31T12:00:00Z";

// A ledger with a data set of cap 1, from which 0.25 and 0.5 were withdrawn.
void write_sample(const fs::path& file) {
  Ledger ledger = Ledger::open_or_create(file).value();
  REQUIRE(ledger.add_dataset("adult", eps("1"), kTime).ok());
  REQUIRE(ledger.withdraw("adult", eps("0.25"), "publish", kTime).ok());
  REQUIRE(ledger.withdraw("adult", eps("0.5"), "publish", kTime).ok());
}

// Changes the file behind the ledger's back.
void tamper(const fs::path& file, const char* statement) {
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &connection) == SQLITE_OK);
  const int code = sqlite3_exec(connection, statement, nullptr, nullptr, nullptr);
  sqlite3_close(connection);
  REQUIRE(code == SQLITE_OK);
}

bool is_in_write_ahead_mode(const fs::path& file) {
  std::ifstream bytes(file, std::ios::binary);
  std::string header(20, '\0');
  bytes.read(header.data(), 20);
  return header[18] == 2 || header[19] == 2;  // section 1.3.3 of SQLite's file format
}

constexpr std::size_t kPageSize = 4096;

std::vector<std::string> pages_of(const fs::path& file) {
  std::ifstream bytes(file, std::ios::binary);
  std::vector<std::string> pages;
  for (std::string page(kPageSize, '\0'); bytes.read(page.data(), kPageSize);) {
    pages.push_back(page);
  }
  return pages;
}

void write_pages(const fs::path& file, const std::vector<std::string>& pages) {
  std::ofstream bytes(file, std::ios::binary);
  for (const std::string& page : pages) bytes << page;
}

// Another process withdraws 0.1 and gets as far as to the removal of its journal.
void be_killed_within_a_commit(const fs::path& file) {
  const pid_t child = fork();
  if (child == 0) {
    Ledger ledger = Ledger::open(file).value();
    if (!forbid_call(__NR_unlink, SECCOMP_RET_KILL_PROCESS)) _exit(1);
    (void)ledger.withdraw("adult", eps("0.1"), "publish", kTime).ok();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
}

std::string refusal_of(const fs::path& file) {
  const Result<Ledger> result = Ledger::open(file);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::kIo);
  return result.error().message;
}

bool says(const std::string& message, const char* part) {
  return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("what is withdrawn is on record, and the cap holds to the last unit") {
  TemporaryFolder folder;
  write_sample(folder / "l.db");
  Ledger ledger = Ledger::open(folder / "l.db").value();

  const auto too_much = ledger.withdraw("adult", eps("0.250000001"), "publish", kTime);
  REQUIRE_FALSE(too_much.ok());
  CHECK(too_much.error().kind == ErrorKind::kBudget);
  CHECK(says(too_much.error().message, "0.25 is left of 1"));

  Budget last = ledger.withdraw("adult", eps("0.25"), "publish", kTime).value();
  CHECK(std::move(last).spend() == eps("0.25"));
  CHECK(ledger.withdraw("adult", eps("0.000000001"), "publish", kTime).error().kind ==
        ErrorKind::kBudget);

  const LedgerHistory history = ledger.history().value();
  CHECK(history.entries.size() == 4);
  CHECK(history.find("adult")->spent == eps("1"));
  CHECK(history.find("adult")->debits == 3);
  CHECK(history.find("adult")->left() == Epsilon());
  CHECK(ledger.verify(history.entries[1].hash).ok());
}

TEST_CASE("the head of a ledger without lines is known to it") {
  TemporaryFolder folder;
  Ledger ledger = Ledger::open_or_create(folder / "l.db").value();
  const std::string head = ledger.history().value().head;
  CHECK(ledger.verify(head).ok());
  REQUIRE(ledger.add_dataset("adult", eps("1"), kTime).ok());
  CHECK(ledger.verify(head).ok());
}

TEST_CASE("a budget that is dropped stays spent") {
  TemporaryFolder folder;
  Ledger ledger = Ledger::open_or_create(folder / "l.db").value();
  REQUIRE(ledger.add_dataset("adult", eps("1"), kTime).ok());
  { const auto dropped = ledger.withdraw("adult", eps("1"), "publish", kTime); }
  CHECK_FALSE(ledger.withdraw("adult", eps("1"), "publish", kTime).ok());
}

TEST_CASE("data sets are apart; a cap is set once; an unknown data set has no budget") {
  TemporaryFolder folder;
  Ledger ledger = Ledger::open_or_create(folder / "l.db").value();
  REQUIRE(ledger.add_dataset("a", eps("1"), kTime).ok());
  REQUIRE(ledger.add_dataset("b", eps("2"), kTime).ok());
  CHECK(ledger.withdraw("a", eps("1"), "publish", kTime).ok());
  CHECK(ledger.withdraw("b", eps("2"), "publish", kTime).ok());
  CHECK(ledger.add_dataset("a", eps("9"), kTime).error().kind == ErrorKind::kIo);
  CHECK(ledger.withdraw("c", eps("1"), "publish", kTime).error().kind == ErrorKind::kIo);
  CHECK(ledger.add_dataset("", eps("1"), kTime).error().kind == ErrorKind::kUsage);
  CHECK(ledger.add_dataset("x\ny", eps("1"), kTime).error().kind == ErrorKind::kUsage);
}

TEST_CASE("without a cap everything is recorded and nothing refused, so a rerun works") {
  TemporaryFolder folder;
  const fs::path file = Ledger::place_beside(folder / "release");
  CHECK(file == folder / "privpfc-ledger.db");
  CHECK(Ledger::place_beside(folder / "release/") == file);
  for (int run = 0; run < 3; ++run) {
    Ledger ledger = Ledger::open_or_create(file).value();
    REQUIRE(ledger.ensure_dataset("adult", kTime).ok());
    CHECK(ledger.withdraw("adult", eps("300"), "publish", kTime).ok());
  }
  Ledger ledger = Ledger::open(file).value();
  CHECK(ledger.history().value().find("adult")->spent == eps("900"));
  CHECK_FALSE(ledger.history().value().find("adult")->left().has_value());
  CHECK(ledger.withdraw("adult", eps("101"), "publish", kTime).error().kind == ErrorKind::kBudget);
}

TEST_CASE("a changed, removed or added line shows, whichever it is") {
  for (const char* statement :
       {"UPDATE entries SET units = 1 WHERE number = 2", "DELETE FROM entries WHERE number = 2",
        "DELETE FROM entries WHERE number = 3",  // the last
        "DELETE FROM entries WHERE number = 1", "DELETE FROM entries",
        "UPDATE entries SET units = 999000000000 WHERE number = 1",  // the cap
        "UPDATE entries SET units = NULL WHERE number = 1",
        "UPDATE entries SET time = 'x' WHERE number = 3",
        "UPDATE entries SET dataset = 'b' WHERE number = 3",
        "UPDATE entries SET number = 9 WHERE number = 3",
        "INSERT INTO entries VALUES (4, 'open', 'b', 1, 'p', 't', 'h')", "DELETE FROM head",
        "UPDATE head SET count = 2", "UPDATE head SET hash = 'x'"}) {
    CAPTURE(statement);
    TemporaryFolder folder;
    write_sample(folder / "l.db");
    REQUIRE(Ledger::open(folder / "l.db").ok());
    Ledger opened_before = Ledger::open(folder / "l.db").value();
    tamper(folder / "l.db", statement);
    CHECK(says(refusal_of(folder / "l.db"), "was changed"));
    CHECK_FALSE(opened_before.withdraw("adult", eps("0.01"), "publish", kTime).ok());
  }
}

TEST_CASE("an older copy of the whole file shows against a head that was noted") {
  TemporaryFolder folder;
  write_sample(folder / "l.db");
  fs::copy_file(folder / "l.db", folder / "older.db");
  Ledger ledger = Ledger::open(folder / "l.db").value();
  REQUIRE(ledger.withdraw("adult", eps("0.1"), "publish", kTime).ok());
  const std::string head = ledger.history().value().head;
  CHECK(ledger.verify(head).ok());
  Ledger older = Ledger::open(folder / "older.db").value();
  CHECK(older.verify(std::nullopt).ok());  // by itself it is sound
  CHECK(older.verify(head).error().kind == ErrorKind::kIo);
}

TEST_CASE("epsilons of rows and of persons are not added up in one account") {
  TemporaryFolder place;
  for (const auto& [first, second] : {std::pair{"publish", "train nb-laplace, per person"},
                                      std::pair{"publish, per person", "evaluate"}}) {
    const auto file = place / first;
    Ledger ledger = Ledger::open_or_create(file).value();
    REQUIRE(ledger.add_dataset("adult", eps("3"), kTime).ok());
    REQUIRE(ledger.add_dataset("other", eps("3"), kTime).ok());
    REQUIRE(ledger.withdraw("adult", eps("1"), first, kTime).ok());
    CHECK(ledger.check_withdrawal("adult", eps("1"), second, false).error().kind ==
          ErrorKind::kBudget);
    const auto mixed = ledger.withdraw("adult", eps("1"), second, kTime);
    REQUIRE_FALSE(mixed.ok());
    CHECK(mixed.error().kind == ErrorKind::kBudget);
    CHECK(mixed.error().message.find("do not add up") != std::string::npos);
    CHECK(ledger.withdraw("adult", eps("1"), first, kTime).ok());
    CHECK(ledger.check_withdrawal("other", eps("1"), second, false).ok());
    CHECK(ledger.withdraw("other", eps("1"), second, kTime).ok());
    CHECK(ledger.history()->find("adult")->spent == eps("2"));
  }
}

TEST_CASE("a delta needs a cap of its own, and the cap holds to the last unit") {
  TemporaryFolder folder;
  write_sample(folder / "l.db");
  Ledger ledger = Ledger::open(folder / "l.db").value();
  const Delta one = Delta::from_units(1);
  const Delta millionth = Delta::parse("1e-6").value();

  // No cap was given: not the least delta is allowed, and nothing is debited.
  const auto none = ledger.withdraw("adult", eps("0.1"), "train", kTime, one);
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().kind == ErrorKind::kBudget);
  CHECK(says(none.error().message, "--delta-cap"));
  CHECK(ledger.history().value().find("adult")->spent == eps("0.75"));
  REQUIRE(ledger.ensure_dataset("uncapped", kTime).ok());
  CHECK_FALSE(ledger.withdraw("uncapped", eps("1"), "train", kTime, one).ok());

  REQUIRE(ledger.add_dataset("census", eps("2"), kTime, millionth).ok());
  const Budget budget =
      ledger.withdraw("census", eps("0.5"), "train", kTime, millionth - one).value();
  CHECK(budget.epsilon() == eps("0.5"));
  CHECK(budget.delta() == millionth - one);
  const auto too_much = ledger.withdraw("census", eps("0.5"), "train", kTime, one + one);
  REQUIRE_FALSE(too_much.ok());
  CHECK(says(too_much.error().message, "1e-18 is left of 1e-6"));
  CHECK(ledger.withdraw("census", eps("0.5"), "train", kTime, one).ok());
  CHECK(ledger.withdraw("census", eps("0.5"), "publish", kTime).ok());  // pure ones go on
  CHECK_FALSE(ledger.withdraw("census", eps("0.600000001"), "publish", kTime).ok());
  CHECK(ledger.verify(std::nullopt).ok());
  const LedgerHistory history = Ledger::open(folder / "l.db").value().history().value();
  CHECK(history.find("census")->delta_spent == millionth);
  CHECK(history.find("adult")->delta_cap == Delta());
}

TEST_CASE("a ledger without a delta keeps its old format; with the first delta it gets a new one") {
  TemporaryFolder folder;
  const fs::path file = folder / "l.db";
  write_sample(file);
  const auto has_deltas = [&] {
    sqlite3* connection = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &connection) == SQLITE_OK);
    const int code =
        sqlite3_exec(connection, "SELECT delta FROM entries", nullptr, nullptr, nullptr);
    sqlite3_close(connection);
    return code == SQLITE_OK;
  };
  CHECK_FALSE(has_deltas());
  const std::string head = Ledger::open(file).value().history().value().head;
  {
    Ledger ledger = Ledger::open(file).value();
    REQUIRE(ledger.add_dataset("census", eps("2"), kTime, Delta::from_units(10)).ok());
    REQUIRE(ledger.withdraw("census", eps("1"), "train", kTime, Delta::from_units(3)).ok());
    REQUIRE(ledger.withdraw("adult", eps("0.1"), "publish", kTime).ok());
  }
  CHECK(has_deltas());
  // The old lines keep their hashes, and the new ones are guarded like them.
  CHECK(Ledger::open(file).value().verify(head).ok());
  for (const char* change :
       {"UPDATE entries SET delta = 2 WHERE delta = 3",
        "UPDATE entries SET delta = 11 WHERE delta = 10",
        "UPDATE entries SET delta = 1 WHERE number = 2", "PRAGMA user_version = 1",
        "UPDATE entries SET delta = -1 WHERE delta = 3"}) {
    CAPTURE(change);
    const fs::path copy = folder / "copy.db";
    fs::remove(copy);
    fs::copy_file(file, copy);
    REQUIRE(chmod(copy.c_str(), 0600) == 0);
    tamper(copy, change);
    CHECK(says(refusal_of(copy), "was changed by something other than privpfc"));
  }
}

TEST_CASE("a newer format and another program's database are refused") {
  TemporaryFolder folder;
  write_sample(folder / "newer.db");
  tamper(folder / "newer.db", "PRAGMA user_version = 3");
  CHECK(says(refusal_of(folder / "newer.db"), "newer privpfc"));
  write_sample(folder / "other.db");
  tamper(folder / "other.db", "PRAGMA application_id = 7");
  CHECK(says(refusal_of(folder / "other.db"), "not a privpfc ledger"));
  std::ofstream(folder / "text.db") << std::string(5000, 'x');
  chmod((folder / "text.db").c_str(), 0600);
  CHECK(says(refusal_of(folder / "text.db"), "is not a ledger"));
  std::ofstream(folder / "empty.db").close();
  chmod((folder / "empty.db").c_str(), 0600);
  CHECK(says(refusal_of(folder / "empty.db"), "not a privpfc ledger"));
}

TEST_CASE("a torn ledger is refused, wherever it ends") {
  TemporaryFolder folder;
  write_sample(folder / "l.db");
  const auto size = fs::file_size(folder / "l.db");
  for (const std::uintmax_t end : {std::uintmax_t{1}, std::uintmax_t{50}, std::uintmax_t{4096},
                                   std::uintmax_t{6000}, std::uintmax_t{8192}, size - 1}) {
    CAPTURE(end);
    fs::copy_file(folder / "l.db", folder / "torn.db", fs::copy_options::overwrite_existing);
    fs::resize_file(folder / "torn.db", end);
    refusal_of(folder / "torn.db");
  }
}

TEST_CASE("every byte of the record is guarded: no flipped bit passes as another history") {
  TemporaryFolder folder;
  write_sample(folder / "l.db");
  const std::string head = Ledger::open(folder / "l.db").value().history().value().head;
  const auto size = fs::file_size(folder / "l.db");
  int refused = 0;
  for (std::uintmax_t at = 0; at < size; at += 37) {
    fs::copy_file(folder / "l.db", folder / "bad.db", fs::copy_options::overwrite_existing);
    {
      std::fstream file(folder / "bad.db", std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(at));
      const int byte = file.get();
      file.seekp(static_cast<std::streamoff>(at));
      file.put(static_cast<char>(byte ^ 0x10));
    }
    Result<Ledger> opened = Ledger::open(folder / "bad.db");
    if (!opened.ok()) {
      ++refused;
      continue;
    }
    // Unused bytes may change; what is said may not.
    CHECK(opened->history().value().head == head);
    CHECK(opened->history().value().find("adult")->spent == eps("0.75"));
  }
  CHECK(refused > 0);
}

TEST_CASE("a debit is in the file itself: no other file is beside it while the ledger is open") {
  TemporaryFolder folder;
  Ledger ledger = Ledger::open_or_create(folder / "l.db").value();
  REQUIRE(ledger.add_dataset("adult", eps("1"), kTime).ok());
  REQUIRE(ledger.withdraw("adult", eps("0.25"), "publish", kTime).ok());
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    CHECK(entry.path() == folder / "l.db");
  }
  CHECK_FALSE(is_in_write_ahead_mode(folder / "l.db"));
}

TEST_CASE("a debit is on the disk before it is reported: the database waits for it") {
  TemporaryFolder folder;
  { Ledger ledger = Ledger::open_or_create(folder / "l.db").value(); }
  Database database = Database::open(folder / "l.db").value();
  const Database::Row extra{std::int64_t{3}};
  CHECK(database.run("PRAGMA synchronous").value()[0] == extra);
}

TEST_CASE("a ledger in write-ahead mode is read as it is, and left so by the first who writes") {
  TemporaryFolder folder;
  const fs::path file = folder / "l.db";
  {
    Ledger ledger = Ledger::open_or_create(file).value();
    REQUIRE(ledger.add_dataset("adult", eps("1"), kTime).ok());
  }
  fs::copy_file(file, folder / "whole.db");
  tamper(file, "PRAGMA journal_mode = WAL");
  {
    Ledger ledger = Ledger::open(folder / "whole.db").value();
    REQUIRE(ledger.withdraw("adult", eps("0.75"), "publish", kTime).ok());
  }
  // An older version was killed after its debit, which is in its second file alone.
  const std::string debit = "ATTACH '" + (folder / "whole.db").string() +
                            "' AS whole; BEGIN;"
                            "INSERT INTO entries SELECT * FROM whole.entries WHERE number = 2;"
                            "UPDATE head SET (count, hash) = (SELECT count, hash FROM whole.head);"
                            "COMMIT";
  const pid_t child = fork();
  if (child == 0) {
    sqlite3* connection = nullptr;
    sqlite3_open(file.c_str(), &connection);
    _exit(sqlite3_exec(connection, debit.c_str(), nullptr, nullptr, nullptr));
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  REQUIRE(fs::file_size(folder / "l.db-wal") > 0);
  fs::remove(folder / "whole.db");

  CHECK(Ledger::open(file).value().history().value().find("adult")->spent == eps("0.75"));
  CHECK(is_in_write_ahead_mode(file));
  Ledger ledger = Ledger::open(file).value();
  CHECK_FALSE(ledger.withdraw("adult", eps("0.5"), "publish", kTime).ok());
  CHECK(ledger.withdraw("adult", eps("0.25"), "publish", kTime).ok());
  CHECK_FALSE(is_in_write_ahead_mode(file));
  CHECK_FALSE(fs::exists(folder / "l.db-wal"));
  CHECK(ledger.verify(std::nullopt).ok());
}

TEST_CASE("half a commit without its journal is refused, or is the record before or after it") {
  TemporaryFolder folder;
  const fs::path file = folder / "l.db";
  Ledger ledger = Ledger::open_or_create(file).value();
  REQUIRE(ledger.add_dataset("adult", eps("1"), kTime).ok());
  const auto record = [&](const fs::path& of) -> std::string {
    Result<Ledger> opened = Ledger::open(of);
    return opened.ok() ? opened->history().value().head : "refused";
  };
  std::size_t most_pages = 0;
  std::vector<std::string> before = pages_of(file);
  // Enough lines to split a page of the table, and to make its tree higher.
  for (int line = 0; line < 60; ++line) {
    const std::string head_before = record(file);
    REQUIRE(ledger.withdraw("adult", eps("0.01"), "publish", kTime).ok());
    const std::string head_after = record(file);
    const std::vector<std::string> after = pages_of(file);
    std::vector<std::size_t> changed;
    for (std::size_t page = 0; page < after.size(); ++page) {
      if (page >= before.size() || before[page] != after[page]) changed.push_back(page);
    }
    most_pages = std::max(most_pages, changed.size());
    REQUIRE(changed.size() >= 3);  // SQLite's first page, the lines, the head
    const std::size_t subsets = std::size_t{1} << changed.size();
    std::size_t refused = 0;
    for (std::size_t written = 0; written < subsets; ++written) {
      std::vector<std::string> torn = before;
      for (std::size_t i = 0; i < changed.size(); ++i) {
        if ((written >> i & 1) == 0) continue;
        if (changed[i] >= torn.size()) torn.resize(changed[i] + 1, std::string(kPageSize, '\0'));
        torn[changed[i]] = after[changed[i]];
      }
      write_pages(folder / "torn.db", torn);
      const std::string found = record(folder / "torn.db");
      refused += found == "refused" ? 1 : 0;
      CHECK((found == "refused" || found == head_before || found == head_after));
    }
    // In half of them either the line is there or the head that counts it, and not both.
    CHECK(refused >= subsets / 2);
    before = after;
  }
  CHECK(most_pages >= 4);
}

// A file has one name at a time; it is moved after a crash, and what the crash left beside it is
// not.
TEST_CASE("a journal that a killed process left undoes no debit that was made under another name") {
  for (const bool had_written : {false, true}) {
    CAPTURE(had_written);
    TemporaryFolder folder;
    const fs::path file = folder / "l.db";
    {
      Ledger ledger = Ledger::open_or_create(file).value();
      REQUIRE(ledger.add_dataset("adult", eps("1"), kTime).ok());
    }
    const std::vector<std::string> before = pages_of(file);
    be_killed_within_a_commit(file);
    REQUIRE(fs::file_size(folder / "l.db-journal") > 0);
    if (!had_written) write_pages(file, before);

    fs::rename(file, folder / "elsewhere.db");
    REQUIRE(Ledger::open(folder / "elsewhere.db")
                .value()
                .withdraw("adult", eps("0.75"), "publish", kTime)
                .ok());
    fs::rename(folder / "elsewhere.db", file);
    Ledger ledger = Ledger::open(file).value();
    CHECK_FALSE(fs::exists(folder / "l.db-journal"));
    CHECK(ledger.history().value().find("adult")->spent == eps(had_written ? "0.85" : "0.75"));
    CHECK_FALSE(ledger.withdraw("adult", eps("0.5"), "publish", kTime).ok());
    CHECK(ledger.verify(std::nullopt).ok());
  }
}

TEST_CASE("half a commit is taken back by its journal; a whole one stays, reported or not") {
  TemporaryFolder folder;
  const fs::path file = folder / "l.db";
  {
    Ledger ledger = Ledger::open_or_create(file).value();
    REQUIRE(ledger.add_dataset("adult", eps("1"), kTime).ok());
  }
  const std::vector<std::string> before = pages_of(file);
  be_killed_within_a_commit(file);
  const std::vector<std::string> after = pages_of(file);
  fs::copy_file(folder / "l.db-journal", folder / "journal");
  CHECK(Ledger::open(file).value().history().value().find("adult")->spent == eps("0.1"));

  std::vector<std::string> half = after;
  half.back() = before.back();
  REQUIRE(half != after);
  write_pages(file, half);
  CHECK_FALSE(Ledger::open(file).ok());
  fs::copy_file(folder / "journal", folder / "l.db-journal");
  CHECK(Ledger::open(file).value().history().value().find("adult")->spent == Epsilon());
}
