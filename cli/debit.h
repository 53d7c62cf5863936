#pragma once

#include <mutex>
#include <string>

#include "privpfc/io/output_file.h"
#include "privpfc/release/ledger.h"
#include "spending.h"

namespace privpfc::cli {

// What this process has debited and what came of it, so that whatever ends it early can say so. All
// of it is public: it depends on where the program was, never on a row.

// Withdraws from the ledger and remembers it. `kept` says where the result will be, once it is:
// "the release is in DIR"; empty where it is kept nowhere. From here on a standard output that
// nobody reads is an error like a full disk, not the end of the program without a word.
Result<Budget> debit(Ledger& ledger, const Spending& spending, Epsilon epsilon, Delta delta,
                     const std::string& purpose, const std::string& kept);

// The result that was paid for is in its place.
void note_that_result_is_kept();
bool result_is_kept();

// Keeps a file that was paid for. An interrupt comes before it or after it, and knows which.
Status keep_result(OutputFile& file);
std::unique_lock<std::mutex> hold_results();

// What is to be said about the debit when the program ends early; null where there was none.
const char* debit_note();

}  // namespace privpfc::cli
