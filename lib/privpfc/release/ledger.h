#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "privpfc/base/result.h"
#include "privpfc/privacy/budget.h"

namespace privpfc {

// One line of a ledger.
struct LedgerEntry {
  enum class Kind { kOpen, kDebit };  // a data set was entered; epsilon was withdrawn
  std::uint64_t number = 0;           // 1, 2, 3, ... over the whole ledger
  Kind kind = Kind::kOpen;
  std::string dataset;
  std::optional<Epsilon> amount;  // the cap (none: no cap), or what was withdrawn
  Delta delta;                    // the cap of delta, or what was withdrawn of it
  std::string purpose;            // public words such as "publish"; never anything from the data
  std::string time;
  std::string hash;  // of this line and the one before it
};

// What the lines say about one data set.
struct LedgerAccount {
  std::string dataset;
  std::optional<Epsilon> cap;
  Epsilon spent;
  std::uint64_t debits = 0;
  Delta delta_cap;  // nothing, unless it was given: a delta is never taken for granted
  Delta delta_spent;

  std::optional<Epsilon> left() const;  // none: no cap
};

// All lines, checked.
struct LedgerHistory {
  std::vector<LedgerEntry> entries;
  std::vector<LedgerAccount> accounts;  // in the order of their entering
  std::string head;                     // the hash of the last line

  const LedgerAccount* find(const std::string& dataset) const;
};

// The record of epsilon spent per data set, in an SQLite file that survives crashes and serves many
// processes at once. A withdrawal is on the disk before the budget is handed out; nothing is ever
// paid back, so after a crash at any moment: recorded >= used.
//
// Every line carries the hash of itself and its predecessor, and the head (count and last hash) is
// kept apart: a changed, removed or inserted line shows, also at the end. What cannot show from the
// file alone: somebody who recomputes all hashes, or an older copy of the whole file put in its
// place. Against these, note the head elsewhere and hand it to `verify`.
//
// Deltas are in a column of their own, which a file gets with its first delta: one that has none
// stays in the older format (1), and versions of this program that know no delta can still use it.
//
// A file that is not the user's own or that others could change or replace, one with two names, a
// symbolic link, a damaged file or one written by a newer version is refused (ErrorKind::kIo):
// ledger_place.h. During a commit SQLite keeps another file beside it (-journal), which belongs to
// it: after a crash the two go together.
class Ledger : BudgetSource {
 public:
  // Opens an existing ledger and checks all of it.
  static Result<Ledger> open(const std::filesystem::path& file);

  // The same, after making an empty ledger (mode 0600) where there is no file. Of many processes
  // that try at once, one makes it and all open it.
  static Result<Ledger> open_or_create(const std::filesystem::path& file);

  // Where `publish` keeps its record when no ledger is named: one file for all releases in a
  // folder.
  static std::filesystem::path place_beside(const std::filesystem::path& release);

  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  ~Ledger();

  // Whether a data set may have this name: it has 1 to 100 printable characters.
  static Status check_name(const std::string& dataset);

  // Enters a data set. Refused if there is one of this name: a cap is never changed.
  // Here and below `time` is UTC, such as utc_now(); it stays in the ledger.
  Status add_dataset(const std::string& dataset, std::optional<Epsilon> cap,
                     const std::string& time, Delta delta_cap = {});

  // Makes sure that the data set is there; enters it without a cap if it is not. Without a cap
  // nothing is refused (up to Epsilon's most), so that a rerun after a crash works, but everything
  // is on record.
  Status ensure_dataset(const std::string& dataset, const std::string& time);

  // Requires: amount > 0. Ensures: on success the debit is durably on record. Where it would pass
  // the cap the error is of kind kBudget and nothing changes.
  // The same for the delta, which most withdrawals do without, and where the account's debits are
  // of rows and this one is of a person, or the other way round (purpose_by_unit).
  Result<Budget> withdraw(const std::string& dataset, Epsilon amount, const std::string& purpose,
                          const std::string& time, Delta delta = {});

  // What withdraw() would refuse; writes nothing. With `enters`, as after ensure_dataset().
  Status check_withdrawal(const std::string& dataset, Epsilon amount, const std::string& purpose,
                          bool enters);

  // Reads and checks every line.
  Result<LedgerHistory> history();

  // Checks every page of the file as well, and, if `known_head` is given, that a line has that
  // hash.
  Status verify(const std::optional<std::string>& known_head);

 private:
  struct State;
  explicit Ledger(std::unique_ptr<State> state);
  Status append(LedgerHistory& history, LedgerEntry entry);
  Status make_room_for_deltas();
  Status require_sound();
  Status enter_again(const LedgerHistory& seen);

  std::unique_ptr<State> state_;
};

// Now, as 2026-01-31T23:59:59Z.
std::string utc_now();

}  // namespace privpfc
