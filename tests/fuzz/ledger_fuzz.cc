#include <sys/stat.h>

#include <map>
#include <optional>

#include "privpfc/release/ledger.h"
#include "scratch_folder.h"

namespace {

using namespace privpfc;

constexpr const char* kTime = "2026-01-31T23:59:59Z";

std::filesystem::path fresh(const fuzz::ScratchFolder& folder) {
  const auto file = folder.path() / "ledger.db";
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::remove(file.string() + suffix);
  }
  return file;
}

// What the lines say is what the accounts say.
void check_history(const LedgerHistory& history) {
  std::map<std::string, std::uint64_t> spent;
  for (const LedgerEntry& entry : history.entries) {
    if (entry.kind == LedgerEntry::Kind::kDebit) spent[entry.dataset] += entry.amount->units();
  }
  for (const LedgerAccount& account : history.accounts) {
    fuzz::check(account.spent.units() == spent[account.dataset]);
    fuzz::check(!account.cap || account.spent <= *account.cap);
  }
}

// Any bytes are refused, or are a ledger that goes on as one.
void use_as_ledger(const std::filesystem::path& file) {
  ::chmod(file.c_str(), 0600);
  auto ledger = Ledger::open(file);
  if (!ledger.ok()) {
    fuzz::check(!ledger.error().message.empty());
    return;
  }
  const auto before = ledger->history();
  if (!before.ok()) return;
  check_history(*before);
  (void)ledger->verify(std::nullopt).ok();
  if (!ledger->ensure_dataset("fuzzed", kTime).ok()) return;
  if (!ledger->withdraw("fuzzed", Epsilon::from_units(1), "publish", kTime).ok()) return;
  auto again = Ledger::open(file);
  fuzz::check(again.ok());
  const auto after = again->history();
  fuzz::check(after.ok());
  check_history(*after);
  fuzz::check(after->entries.size() > before->entries.size());
  fuzz::check(after->find("fuzzed")->debits >= 1);
}

struct Account {
  std::optional<std::uint64_t> cap;
  std::uint64_t spent = 0;
  std::uint64_t delta_cap = 0;
  std::uint64_t delta_spent = 0;
};

// Four bytes are one thing to do; the ledger must do as a plain addition of numbers does.
void keep_accounts(const std::filesystem::path& file, std::string_view steps) {
  auto ledger = Ledger::open_or_create(file);
  fuzz::check(ledger.ok());
  std::map<std::string, Account> expected;
  for (; steps.size() >= 4; steps.remove_prefix(4)) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(steps[at]); };
    const std::string dataset(1, static_cast<char>('a' + byte(1) % 4));
    const std::uint64_t units = byte(2) * std::uint64_t{4'000'000'000};
    const std::uint64_t delta = byte(3) * std::uint64_t{10'000'000'000'000'000};
    if (units > Epsilon::kMostUnits || delta >= Delta::kUnitsPerOne) continue;
    const bool known = expected.contains(dataset);
    switch (byte(0) % 3) {
      case 0: {
        const auto cap = units == 0 ? std::optional<Epsilon>() : Epsilon::from_units(units);
        const Status status = ledger->add_dataset(dataset, cap, kTime, Delta::from_units(delta));
        fuzz::check(status.ok() == !known);
        if (!known) expected[dataset] = {cap ? std::optional(units) : std::nullopt, 0, delta, 0};
        break;
      }
      case 1: {
        if (units == 0) break;
        Account& account = expected[dataset];
        const bool fits = known &&
                          account.spent + units <= account.cap.value_or(Epsilon::kMostUnits) &&
                          account.delta_spent + delta <= account.delta_cap;
        if (!known) expected.erase(dataset);
        fuzz::check(ledger
                        ->withdraw(dataset, Epsilon::from_units(units), "publish", kTime,
                                   Delta::from_units(delta))
                        .ok() == fits);
        if (fits) {
          account.spent += units;
          account.delta_spent += delta;
        }
        break;
      }
      default:
        ledger = Ledger::open(file);
        fuzz::check(ledger.ok());
    }
  }
  const auto history = ledger->history();
  fuzz::check(history.ok() && history->accounts.size() == expected.size());
  check_history(*history);
  for (const LedgerAccount& account : history->accounts) {
    fuzz::check(account.spent.units() == expected[account.dataset].spent);
    fuzz::check(account.delta_spent.units() == expected[account.dataset].delta_spent);
  }
  fuzz::check(ledger->verify(history->head).ok());
}

// A ledger whose journal is still to be replayed finds any bytes in its place: the journal of a
// commit that was cut off, or that of an older version.
void replay(const std::filesystem::path& file, const char* suffix, std::string_view journal) {
  {
    auto ledger = Ledger::open_or_create(file);
    fuzz::check(ledger.ok() && ledger->ensure_dataset("first", kTime).ok());
    fuzz::check(ledger->withdraw("first", Epsilon::from_units(7), "publish", kTime).ok());
  }
  std::ofstream(file.string() + suffix, std::ios::binary)
      .write(journal.data(), static_cast<std::streamsize>(journal.size()));
  use_as_ledger(file);
}

}  // namespace

// The first byte chooses what the rest is: a ledger's file, its journal, or things to do.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFolder folder;
  if (size == 0) return 0;
  const auto file = fresh(folder);
  const std::string_view rest = fuzz::text_of(data + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      use_as_ledger(folder.write("ledger.db", rest));
      break;
    case 1:
      replay(file, data[0] / 3 % 2 == 0 ? "-wal" : "-journal", rest);
      break;
    default:
      keep_accounts(file, rest.substr(0, 64));
  }
  return 0;
}
