#include "privpfc/release/ledger.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <string_view>
#include <utility>

#include "privpfc/base/sha256.h"
#include "privpfc/base/utf8.h"
#include "privpfc/io/output_file.h"
#include "privpfc/release/database.h"
#include "privpfc/release/ledger_place.h"
#include "privpfc/schema/unit.h"

namespace privpfc {

namespace fs = std::filesystem;

struct Ledger::State {
  fs::path file;
  Database database;
};

namespace {

constexpr std::int64_t kApplication = 0x70706663;  // "ppfc"
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kVersionWithDeltas = 2;

Result<std::int64_t> number_from(Database& database, const char* statement) {
  PRIVPFC_ASSIGN(const auto rows, database.run(statement));
  const std::int64_t* number =
      rows.size() == 1 && rows[0].size() == 1 ? std::get_if<std::int64_t>(&rows[0][0]) : nullptr;
  return number == nullptr ? std::int64_t{-1} : *number;
}

// Only short printable text gets in: names and purposes come from people and end up in terminals.
bool is_plain(const std::string& text, std::size_t most) {
  return !text.empty() && text.size() <= most &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= 32 && c != 127; });
}

// Each field with its length before it, so that no two different lines give the same text.
std::string hash_of(const std::string& previous, const LedgerEntry& entry) {
  std::string text;
  const auto add = [&](const std::string& field) {
    text += fmt::format("{}:{}", field.size(), field);
  };
  add(previous);
  add(std::to_string(entry.number));
  add(entry.kind == LedgerEntry::Kind::kOpen ? "open" : "debit");
  add(entry.dataset);
  add(entry.amount ? std::to_string(entry.amount->units()) : "none");
  add(entry.purpose);
  add(entry.time);
  if (entry.delta != Delta()) add(std::to_string(entry.delta.units()));
  return sha256_hex(text);
}

std::string hash_before_the_first() {
  return sha256_hex("privpfc ledger");
}

std::optional<LedgerEntry> entry_of(const Database::Row& row) {
  LedgerEntry entry;
  const auto* number = std::get_if<std::int64_t>(&row[0]);
  const auto* kind = std::get_if<std::string>(&row[1]);
  const auto* dataset = std::get_if<std::string>(&row[2]);
  const auto* units = std::get_if<std::int64_t>(&row[3]);
  const auto* purpose = std::get_if<std::string>(&row[4]);
  const auto* time = std::get_if<std::string>(&row[5]);
  const auto* hash = std::get_if<std::string>(&row[6]);
  const auto* delta = std::get_if<std::int64_t>(&row[7]);
  if (!number || !kind || !dataset || !purpose || !time || !hash || !delta) return std::nullopt;
  if (*delta < 0 || static_cast<std::uint64_t>(*delta) >= Delta::kUnitsPerOne) return std::nullopt;
  entry.delta = Delta::from_units(static_cast<std::uint64_t>(*delta));
  if (*kind != "open" && *kind != "debit") return std::nullopt;
  entry.kind = *kind == "open" ? LedgerEntry::Kind::kOpen : LedgerEntry::Kind::kDebit;
  if (units != nullptr) {
    if (*units <= 0 || static_cast<std::uint64_t>(*units) > Epsilon::kMostUnits) {
      return std::nullopt;
    }
    entry.amount = Epsilon::from_units(static_cast<std::uint64_t>(*units));
  }
  entry.number = static_cast<std::uint64_t>(*number);
  entry.dataset = *dataset;
  entry.purpose = *purpose;
  entry.time = *time;
  entry.hash = *hash;
  return entry;
}

// Whether one more line makes sense after the others; if so, it is entered into the accounts.
bool account_for(std::vector<LedgerAccount>& accounts, const LedgerEntry& entry) {
  const auto account = std::find_if(accounts.begin(), accounts.end(),
                                    [&](const auto& a) { return a.dataset == entry.dataset; });
  if (entry.kind == LedgerEntry::Kind::kOpen) {
    if (account != accounts.end()) return false;
    accounts.push_back({entry.dataset, entry.amount, Epsilon(), 0, entry.delta, Delta()});
    return true;
  }
  if (account == accounts.end() || !entry.amount) return false;
  const std::uint64_t most = account->cap ? account->cap->units() : Epsilon::kMostUnits;
  if (account->spent.units() + entry.amount->units() > most) return false;
  if (account->delta_spent.units() + entry.delta.units() > account->delta_cap.units()) return false;
  account->spent = account->spent + *entry.amount;
  account->delta_spent = account->delta_spent + entry.delta;
  ++account->debits;
  return true;
}

Result<LedgerHistory> read_history(const fs::path& file, Database& database) {
  PRIVPFC_ASSIGN(const std::int64_t version, number_from(database, "PRAGMA user_version"));
  const std::string statement = fmt::format(
      "SELECT number, kind, dataset, units, purpose, time, hash, {} FROM entries"
      " ORDER BY number",
      version < kVersionWithDeltas ? "0" : "delta");
  PRIVPFC_ASSIGN(const auto rows, database.run(statement.c_str()));
  LedgerHistory history;
  history.head = hash_before_the_first();
  for (const auto& row : rows) {
    const std::optional<LedgerEntry> entry = entry_of(row);
    const std::uint64_t number = history.entries.size() + 1;
    if (!entry || entry->number != number || entry->hash != hash_of(history.head, *entry) ||
        !account_for(history.accounts, *entry)) {
      return ledger_refusal(
          file,
          "was changed by something other than privpfc: line {} does not follow from "
          "the lines before it",
          number);
    }
    history.head = entry->hash;
    history.entries.push_back(*entry);
  }
  PRIVPFC_ASSIGN(const auto head, database.run("SELECT count, hash FROM head"));
  const Database::Row expected{static_cast<std::int64_t>(history.entries.size()), history.head};
  if (head.size() != 1 || head[0] != expected) {
    return ledger_refusal(file,
                          "was changed by something other than privpfc: lines at its end are gone");
  }
  return history;
}

// What a ledger says by itself where it has a journal, which SQLite may undo a part of it by;
// nothing if it is not sound by itself.
std::optional<LedgerHistory> history_before_recovery(const fs::path& file) {
  std::error_code code;
  if (!fs::exists(file.string() + "-journal", code)) return std::nullopt;
  Result<Database> alone = Database::open_alone(file);
  if (!alone.ok()) return std::nullopt;
  Result<LedgerHistory> history = read_history(file, *alone);
  if (!history.ok()) return std::nullopt;
  return std::move(history).value();
}

// Somebody who names a table by mistake is not to look for a backup of it. A beginning that is cut
// short is a torn ledger's.
Status require_database(const fs::path& file) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::ifstream bytes(file, std::ios::binary);
  std::string begin(kMagic.size(), '\0');
  bytes.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(bytes.gcount()));
  if (kMagic.starts_with(begin)) return {};
  return make_error(ErrorKind::kIo,
                    "'{}' is not a ledger: it does not begin like one; name the ledger's own file, "
                    "or a new one for `privpfc ledger init`",
                    file.string());
}

Error already_there(const fs::path& file, const LedgerAccount& account) {
  if (account.cap) {
    return ledger_refusal(file,
                          "already has a data set '{}', with a cap of {}; a cap is never changed",
                          account.dataset, account.cap->to_string());
  }
  return ledger_refusal(
      file,
      "already has a data set '{}', without a cap, and a cap cannot be added to it; to limit what "
      "is still to come, enter it under another name, with the cap that you want less the {} that "
      "is spent, and publish under that name from now on",
      account.dataset, account.spent.to_string());
}

bool begins_with(const std::vector<LedgerEntry>& whole, const std::vector<LedgerEntry>& beginning) {
  return beginning.size() <= whole.size() &&
         (beginning.empty() || whole[beginning.size() - 1].hash == beginning.back().hash);
}

// Whether the account allows so much.
Status require_room(const LedgerAccount& account, Epsilon amount, Delta delta) {
  const Epsilon left =
      account.left().value_or(Epsilon::from_units(Epsilon::kMostUnits) - account.spent);
  if (amount > left) {
    return make_error(ErrorKind::kBudget,
                      "the budget of data set '{}' does not allow epsilon {}: {} is left{}",
                      account.dataset, amount.to_string(), left.to_string(),
                      account.cap ? fmt::format(" of {}", account.cap->to_string()) : "");
  }
  const Delta delta_left = account.delta_cap - account.delta_spent;
  if (delta > delta_left) {
    return make_error(ErrorKind::kBudget,
                      "the budget of data set '{}' does not allow delta {}: {} is left{}",
                      account.dataset, delta.to_string(), delta_left.to_string(),
                      account.delta_cap == Delta()
                          ? "; a data set has a delta only if `privpfc ledger init --delta-cap` "
                            "gave it one"
                          : fmt::format(" of {}", account.delta_cap.to_string()));
  }
  return {};
}

// A person with many rows has lost more to a release for rows than its epsilon says: the sum with
// one for persons would be true of neither.
Status require_same_unit(const LedgerHistory& history, const std::string& dataset,
                         const std::string& purpose) {
  for (const LedgerEntry& entry : history.entries) {
    if (entry.kind != LedgerEntry::Kind::kDebit || entry.dataset != dataset ||
        is_per_person(entry.purpose) == is_per_person(purpose)) {
      continue;
    }
    const char* const units[] = {"one row", "one person"};
    return make_error(
        ErrorKind::kBudget,
        "what was spent of data set '{}' is on record for {}, and this is for {}: the "
        "two do not add up. Give it a data set of its own (privpfc ledger init "
        "--dataset), and look at both when you say what somebody may lose",
        dataset, units[is_per_person(entry.purpose)], units[is_per_person(purpose)]);
  }
  return {};
}

Error no_such_dataset(const fs::path& file, const std::string& dataset) {
  return ledger_refusal(file, "has no data set '{}'; enter it with `privpfc ledger init`", dataset);
}

// The bytes of a ledger without lines.
Result<std::string> empty_ledger() {
  PRIVPFC_ASSIGN(Database database, Database::open(":memory:"));
  const Status filled = database.exclusively([&]() -> Status {
    PRIVPFC_TRY(database.run(
        "CREATE TABLE entries (number INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
        " dataset TEXT NOT NULL, units INTEGER, purpose TEXT NOT NULL, time TEXT NOT NULL,"
        " hash TEXT NOT NULL) STRICT"));
    PRIVPFC_TRY(
        database.run("CREATE TABLE head (count INTEGER NOT NULL, hash TEXT NOT NULL) STRICT"));
    PRIVPFC_TRY(database.run("INSERT INTO head VALUES (0, ?)", {hash_before_the_first()}));
    PRIVPFC_TRY(database.run(fmt::format("PRAGMA application_id = {}", kApplication).c_str()));
    PRIVPFC_TRY(database.run(fmt::format("PRAGMA user_version = {}", kVersion).c_str()));
    return {};
  });
  if (!filled.ok()) return filled.error();
  return database.image();
}

// It appears whole or not at all, and where somebody else was first, that is as good.
Status create(const fs::path& file) {
  PRIVPFC_TRY(require_place_for_ledger(file));
  PRIVPFC_ASSIGN(const std::string bytes, empty_ledger());
  const auto write = [&]() -> Status {
    PRIVPFC_ASSIGN(OutputFile made, OutputFile::create(file, /*overwrite=*/false, 0600));
    PRIVPFC_TRY(made.write(bytes.data(), bytes.size()));
    return made.keep(/*sync=*/true);
  };
  const Status status = write();
  std::error_code code;
  if (status.ok() || fs::exists(fs::symlink_status(file, code))) return {};
  return ledger_refusal(file, "cannot be made: {}", status.error().message);
}

}  // namespace

std::optional<Epsilon> LedgerAccount::left() const {
  if (!cap) return std::nullopt;
  return *cap - spent;
}

const LedgerAccount* LedgerHistory::find(const std::string& dataset) const {
  for (const LedgerAccount& account : accounts) {
    if (account.dataset == dataset) return &account;
  }
  return nullptr;
}

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Result<Ledger> Ledger::open(const fs::path& file) {
  PRIVPFC_TRY(require_guarded_ledger(file));
  PRIVPFC_TRY(require_database(file));
  const std::optional<LedgerHistory> seen = history_before_recovery(file);
  PRIVPFC_ASSIGN(Database database, Database::open(file));
  Ledger ledger(std::make_unique<State>(State{file, std::move(database)}));
  PRIVPFC_TRY(ledger.require_sound());
  if (seen) PRIVPFC_TRY(ledger.enter_again(*seen));
  return ledger;
}

Result<Ledger> Ledger::open_or_create(const fs::path& file) {
  struct stat info {};
  if (lstat(file.c_str(), &info) != 0 && errno == ENOENT) PRIVPFC_TRY(create(file));
  return open(file);
}

fs::path Ledger::place_beside(const fs::path& release) {
  const fs::path whole = fs::absolute(release).lexically_normal();
  const fs::path folder =
      whole.has_filename() ? whole.parent_path() : whole.parent_path().parent_path();
  return folder / "privpfc-ledger.db";
}

Status Ledger::check_name(const std::string& dataset) {
  if (is_plain(dataset, 100) && is_valid_utf8(dataset)) return {};
  return make_error(ErrorKind::kUsage,
                    "a data set's name has 1 to 100 printable characters (UTF-8) in the ledger");
}

Status Ledger::require_sound() {
  Database& database = state_->database;
  PRIVPFC_ASSIGN(const std::int64_t application, number_from(database, "PRAGMA application_id"));
  if (application != kApplication) return ledger_refusal(state_->file, "is not a privpfc ledger");
  PRIVPFC_ASSIGN(const std::int64_t version, number_from(database, "PRAGMA user_version"));
  if (version > kVersionWithDeltas) {
    return ledger_refusal(state_->file,
                          "was written by a newer privpfc (format {}); update this one", version);
  }
  if (version < kVersion) return ledger_refusal(state_->file, "has an unknown format {}", version);
  PRIVPFC_TRY(history());
  return {};
}

// A sound line is never undone. The journal of a process that was killed undoes its last commit,
// which may as well stay, and, if the ledger was used under another name since, also debits that
// budgets were handed out for.
Status Ledger::enter_again(const LedgerHistory& seen) {
  PRIVPFC_ASSIGN(const LedgerHistory found, history());
  if (begins_with(found.entries, seen.entries)) return {};
  return state_->database.exclusively([&]() -> Status {
    PRIVPFC_ASSIGN(LedgerHistory history, read_history(state_->file, state_->database));
    // Others may have come first and entered them, or something else.
    if (!begins_with(seen.entries, history.entries)) return {};
    for (std::size_t line = history.entries.size(); line < seen.entries.size(); ++line) {
      PRIVPFC_TRY(append(history, seen.entries[line]));
    }
    return {};
  });
}

Result<LedgerHistory> Ledger::history() {
  // One transaction, so that lines and head are of the same moment.
  PRIVPFC_TRY(state_->database.run("BEGIN"));
  Result<LedgerHistory> history = read_history(state_->file, state_->database);
  PRIVPFC_TRY(state_->database.run("COMMIT"));
  return history;
}

Status Ledger::append(LedgerHistory& history, LedgerEntry entry) {
  PRIVPFC_TRY(check_name(entry.dataset));
  require(is_plain(entry.purpose, 200) && is_plain(entry.time, 40), "ledger: odd purpose or time");
  entry.number = history.entries.size() + 1;
  entry.hash = hash_of(history.head, entry);
  require(account_for(history.accounts, entry), "ledger: a line that makes no sense");
  if (entry.delta != Delta()) PRIVPFC_TRY(make_room_for_deltas());
  Database& database = state_->database;
  Database::Value units = nullptr;
  if (entry.amount) units = static_cast<std::int64_t>(entry.amount->units());
  const auto number = static_cast<std::int64_t>(entry.number);
  const std::string kind = entry.kind == LedgerEntry::Kind::kOpen ? "open" : "debit";
  PRIVPFC_TRY(
      database.run("INSERT INTO entries (number, kind, dataset, units, purpose, time, hash)"
                   " VALUES (?, ?, ?, ?, ?, ?, ?)",
                   {number, kind, entry.dataset, units, entry.purpose, entry.time, entry.hash}));
  if (entry.delta != Delta()) {
    PRIVPFC_TRY(database.run("UPDATE entries SET delta = ? WHERE number = ?",
                             {static_cast<std::int64_t>(entry.delta.units()), number}));
  }
  PRIVPFC_TRY(database.run("UPDATE head SET count = ?, hash = ?", {number, entry.hash}));
  history.head = entry.hash;
  history.entries.push_back(std::move(entry));
  return {};
}

// Within a transaction, so that the column and the first line that uses it come together.
Status Ledger::make_room_for_deltas() {
  Database& database = state_->database;
  PRIVPFC_ASSIGN(const std::int64_t version, number_from(database, "PRAGMA user_version"));
  if (version >= kVersionWithDeltas) return {};
  PRIVPFC_TRY(database.run("ALTER TABLE entries ADD COLUMN delta INTEGER NOT NULL DEFAULT 0"));
  return database.run(fmt::format("PRAGMA user_version = {}", kVersionWithDeltas).c_str()).ok()
             ? Status()
             : ledger_refusal(state_->file, "cannot be brought to its new format");
}

Status Ledger::add_dataset(const std::string& dataset, std::optional<Epsilon> cap,
                           const std::string& time, Delta delta_cap) {
  return state_->database.exclusively([&]() -> Status {
    PRIVPFC_ASSIGN(LedgerHistory history, read_history(state_->file, state_->database));
    if (const LedgerAccount* account = history.find(dataset)) {
      return already_there(state_->file, *account);
    }
    return append(history,
                  {0, LedgerEntry::Kind::kOpen, dataset, cap, delta_cap, "init", time, {}});
  });
}

Status Ledger::ensure_dataset(const std::string& dataset, const std::string& time) {
  return state_->database.exclusively([&]() -> Status {
    PRIVPFC_ASSIGN(LedgerHistory history, read_history(state_->file, state_->database));
    if (history.find(dataset) != nullptr) return {};
    return append(history, {0, LedgerEntry::Kind::kOpen, dataset, {}, {}, "init", time, {}});
  });
}

Result<Budget> Ledger::withdraw(const std::string& dataset, Epsilon amount,
                                const std::string& purpose, const std::string& time, Delta delta) {
  require(amount > Epsilon(), "ledger: a withdrawal of nothing");
  const Status debited = state_->database.exclusively([&]() -> Status {
    PRIVPFC_ASSIGN(LedgerHistory history, read_history(state_->file, state_->database));
    const LedgerAccount* account = history.find(dataset);
    if (account == nullptr) return no_such_dataset(state_->file, dataset);
    PRIVPFC_TRY(require_room(*account, amount, delta));
    PRIVPFC_TRY(require_same_unit(history, dataset, purpose));
    return append(history,
                  {0, LedgerEntry::Kind::kDebit, dataset, amount, delta, purpose, time, {}});
  });
  PRIVPFC_TRY(debited);
  return issue(amount, delta);
}

Status Ledger::check_withdrawal(const std::string& dataset, Epsilon amount,
                                const std::string& purpose, bool enters) {
  PRIVPFC_ASSIGN(const LedgerHistory known, history());
  const LedgerAccount* account = known.find(dataset);
  if (account != nullptr) {
    PRIVPFC_TRY(require_room(*account, amount, {}));
    return require_same_unit(known, dataset, purpose);
  }
  return enters ? check_name(dataset) : no_such_dataset(state_->file, dataset);
}

Status Ledger::verify(const std::optional<std::string>& known_head) {
  PRIVPFC_ASSIGN(const auto rows, state_->database.run("PRAGMA integrity_check"));
  const Database::Row fine{std::string("ok")};
  if (rows.size() != 1 || rows[0] != fine) {
    return ledger_refusal(state_->file,
                          "is damaged; restore it from a backup that is not older than the "
                          "last release");
  }
  PRIVPFC_ASSIGN(const LedgerHistory history, this->history());
  // A ledger without lines has a head too.
  if (!known_head || *known_head == hash_before_the_first()) return {};
  const bool found = std::any_of(history.entries.begin(), history.entries.end(),
                                 [&](const auto& entry) { return entry.hash == *known_head; });
  if (!found) {
    return ledger_refusal(state_->file,
                          "has no line with the hash {}: it is an older copy, or another ledger "
                          "than the one that this head was noted from",
                          *known_head);
  }
  return {};
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace privpfc
