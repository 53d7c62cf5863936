#pragma once

#include <string>

#include "command.h"
#include "privpfc/base/result.h"
#include "privpfc/privacy/epsilon.h"
#include "privpfc/release/ledger.h"
#include "privpfc/schema/schema.h"

namespace privpfc::cli {

// What every command that spends epsilon asks for.
struct Spending {
  std::string epsilon;
  std::string ledger;
  std::string dataset;
  bool yes = false;
};

// --ledger, --dataset, --yes. --epsilon is the command's own: not every command needs one.
void add_spending_options(CLI::App& command, Spending& spending);

// Reads the epsilon. One that promises next to nothing has to be confirmed, on a terminal or by
// --yes.
Result<Epsilon> read_epsilon(const Spending& spending);

// Opens the ledger that was named. Where none was, takes the one beside `out`, and enters the data
// set (under the schema's name, unless there is another) without a cap; says so unless `quiet`.
// Fills in what was left open.
Result<Ledger> open_ledger(Spending& spending, const Schema& schema, const std::string& out,
                           bool quiet);

// For a dry run: what open_ledger() and a debit would refuse. Writes nothing, and fills in what was
// left open as well.
Status check_ledger(Spending& spending, const Schema& schema, const std::string& out,
                    Epsilon epsilon, const std::string& purpose);

}  // namespace privpfc::cli
