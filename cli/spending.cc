#include "spending.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

namespace privpfc::cli {
namespace {

// Above this a promise hardly protects; most likely it is a slip of the finger.
constexpr std::uint64_t kUnusualEpsilon = 10;

}  // namespace

void add_spending_options(CLI::App& command, Spending& spending) {
  command.add_option("--ledger", spending.ledger,
                     "The record of epsilon spent (default: one beside --out)");
  command.add_option("--dataset", spending.dataset,
                     "The data set's name in the ledger (default: the schema's name)");
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
  if (!spending.ledger.empty()) {
    if (spending.dataset.empty()) {
      return make_error(ErrorKind::kUsage,
                        "--ledger needs --dataset NAME: whose budget is to be debited?");
    }
    return Ledger::open(spending.ledger);
  }
  spending.ledger = Ledger::place_beside(out).string();
  if (spending.dataset.empty()) spending.dataset = schema.name;
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

}  // namespace privpfc::cli
