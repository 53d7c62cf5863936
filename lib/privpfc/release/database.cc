#include "privpfc/release/database.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace privpfc {

namespace {

constexpr std::chrono::duration<int, std::milli> kPatience = std::chrono::minutes(1);
constexpr std::chrono::milliseconds kLongestPause{16};

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

int bind(sqlite3_stmt* statement, int at, const Database::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return sqlite3_bind_int64(statement, at, *number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return sqlite3_bind_text(statement, at, text->data(), static_cast<int>(text->size()),
                             SQLITE_TRANSIENT);
  }
  return sqlite3_bind_null(statement, at);
}

Database::Value column(sqlite3_stmt* statement, int at) {
  switch (sqlite3_column_type(statement, at)) {
    case SQLITE_INTEGER:
      return static_cast<std::int64_t>(sqlite3_column_int64(statement, at));
    case SQLITE_NULL:
      return nullptr;
    default: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, at));
      return text == nullptr
                 ? std::string()
                 : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, at)));
    }
  }
}

}  // namespace

Error Database::failure(const char* doing) const {
  const char* why = connection_ ? sqlite3_errmsg(connection_.get()) : "out of memory";
  const int code = connection_ ? sqlite3_errcode(connection_.get()) : SQLITE_NOMEM;
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) {
    return make_error(ErrorKind::kIo,
                      "the ledger '{}' is damaged ({}); restore it from a backup that is not older "
                      "than the last release",
                      file_.string(), why);
  }
  return make_error(ErrorKind::kIo, "the ledger '{}': {} failed: {}", file_.string(), doing, why);
}

Result<Database> Database::open(const std::filesystem::path& file) {
  return connect(file, file.string(), SQLITE_OPEN_READWRITE);
}

Result<Database> Database::open_alone(const std::filesystem::path& file) {
  std::string name = "file:";
  for (const char c : file.string()) {
    if (c == '%' || c == '?' || c == '#') {
      name += fmt::format("%{:02x}", c);
    } else {
      name += c;
    }
  }
  return connect(file, name + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

Result<Database> Database::connect(const std::filesystem::path& file, const std::string& name,
                                   int flags) {
  Database database;
  database.file_ = file;
  sqlite3* connection = nullptr;
  const int code =
      sqlite3_open_v2(name.c_str(), &connection, flags | SQLITE_OPEN_EXRESCODE, nullptr);
  database.connection_.reset(connection);
  if (code != SQLITE_OK) return database.failure("opening");
  sqlite3_busy_timeout(connection, kPatience.count());
  // What is read here may have been written by anybody.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // EXTRA: a commit is on the disk before it is reported, and so is the end of its journal, which
  // could undo it after a power cut.
  PRIVPFC_TRY(database.run("PRAGMA synchronous = EXTRA"));
  return database;
}

Result<std::vector<Database::Row>> Database::run(const char* statement,
                                                 const std::vector<Value>& values) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(connection_.get(), statement, -1, &prepared, nullptr) != SQLITE_OK) {
    return failure("reading");
  }
  const Statement owner(prepared);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (bind(prepared, static_cast<int>(i) + 1, values[i]) != SQLITE_OK) return failure("writing");
  }
  std::vector<Row> rows;
  for (;;) {
    const int code = sqlite3_step(prepared);
    if (code == SQLITE_DONE) return rows;
    if (code != SQLITE_ROW) {
      return failure(sqlite3_stmt_readonly(prepared) != 0 ? "reading" : "writing");
    }
    Row& row = rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(prepared); ++i) row.push_back(column(prepared, i));
  }
}

// Earlier versions kept their last commits in a second file, and whoever has the ledger open in
// that mode keeps all others from leaving it. So everybody who fails lets go for a while, each for
// another time, until one is alone.
Status Database::leave_write_ahead_mode() {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  const Row still_in_it{std::string("wal")};
  for (std::chrono::milliseconds pause{1};; pause = std::min(pause * 2, kLongestPause)) {
    const auto mode = run("PRAGMA journal_mode = DELETE");
    if (mode.ok() && mode->size() == 1 && (*mode)[0] != still_in_it) return {};
    const bool is_busy = (sqlite3_errcode(connection_.get()) & 0xff) == SQLITE_BUSY;
    if (!mode.ok() && !is_busy) return mode.error();
    if (std::chrono::steady_clock::now() > deadline) {
      return make_error(ErrorKind::kIo,
                        "the ledger '{}' is in use by an older privpfc; try again when that has "
                        "ended",
                        file_.string());
    }
    connection_.reset();
    std::this_thread::sleep_for(pause * (1 + ::getpid() % 16));
    PRIVPFC_ASSIGN(*this, open(file_));
  }
}

Status Database::exclusively(const std::function<Status()>& work) {
  PRIVPFC_TRY(leave_write_ahead_mode());
  PRIVPFC_TRY(run("BEGIN IMMEDIATE"));
  Status status = work();
  if (status.ok()) {
    const auto committed = run("COMMIT");
    if (committed.ok()) return {};
    status = committed.error();
  }
  // Best effort: if this fails too, closing the connection undoes the work.
  (void)run("ROLLBACK").ok();
  return status;
}

Result<std::string> Database::image() {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(connection_.get(), "main", &size, 0), &sqlite3_free);
  if (bytes == nullptr) return failure("writing");
  return std::string(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size));
}

}  // namespace privpfc
