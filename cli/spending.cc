#include "spending.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "privpfc/release/ledger_place.h"

namespace privpfc::cli {
namespace {

namespace fs = std::filesystem;

// Above this a promise hardly protects; most likely it is a slip of the finger.
constexpr std::uint64_t kUnusualEpsilon = 10;

// Fills in the ledger beside `out` and the schema's name where no ledger was named; tells whether
// one was.
Result<bool> choose_ledger(Spending& spending, const Schema& schema, const std::string& out) {
  if (!spending.ledger.empty()) {
    if (!spending.dataset.empty()) return true;
    return make_error(ErrorKind::kUsage,
                      "--ledger needs --dataset NAME: whose budget is to be debited?");
  }
  spending.ledger = Ledger::place_beside(out).string();
  if (spending.dataset.empty()) spending.dataset = schema.name;
  return false;
}

}  // namespace

void add_spending_options(CLI::App& command, Spending& spending) {
  command.add_option("--ledger", spending.ledger,
                     "The record of epsilon spent (default: one beside --out)");
  command.add_option(
      "--dataset", spending.dataset,
      "The data set's name in the ledger; required with --ledger (without: the schema's "
      "name)");
  command.add_flag("--yes", spending.yes, "Do not ask about an unusually large epsilon");
}

Result<Epsilon> read_epsilon(const Spending& spending) {
  PRIVPFC_ASSIGN(const Epsilon epsilon, Epsilon::parse(spending.epsilon));
  if (epsilon.units() <= kUnusualEpsilon * Epsilon::kUnitsPerOne || spending.yes) return epsilon;
  if (::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1) {
    fmt::print(stderr, "epsilon {} promises next to nothing. Go ahead all the same? [y/N] ",
               epsilon.to_string());
    std::string answer;
    std::getline(std::cin, answer);
    if (answer == "y" || answer == "Y" || answer == "yes") return epsilon;
  }
  return make_error(ErrorKind::kUsage,
                    "epsilon {} promises next to nothing; if that is what you want, add --yes",
                    epsilon.to_string());
}

Result<Ledger> open_ledger(Spending& spending, const Schema& schema, const std::string& out,
                           bool quiet) {
  PRIVPFC_ASSIGN(const bool was_named, choose_ledger(spending, schema, out));
  if (was_named) return Ledger::open(spending.ledger);
  PRIVPFC_ASSIGN(Ledger ledger, Ledger::open_or_create(spending.ledger));
  PRIVPFC_TRY(ledger.ensure_dataset(spending.dataset, utc_now()));
  if (!quiet) {
    fmt::print(stderr,
               "No ledger was named: what this costs is recorded in {} for the data set '{}', "
               "without a cap.\n",
               spending.ledger, spending.dataset);
  }
  return ledger;
}

Status check_ledger(Spending& spending, const Schema& schema, const std::string& out,
                    Epsilon epsilon, const std::string& purpose) {
  PRIVPFC_ASSIGN(const bool was_named, choose_ledger(spending, schema, out));
  std::error_code code;
  if (!was_named && !fs::exists(fs::symlink_status(spending.ledger, code))) {
    PRIVPFC_TRY(Ledger::check_name(spending.dataset));
    return require_place_for_ledger(spending.ledger);
  }
  PRIVPFC_ASSIGN(Ledger ledger, Ledger::open(spending.ledger));
  return ledger.check_withdrawal(spending.dataset, epsilon, purpose, /*enters=*/!was_named);
}

}  // namespace privpfc::cli
