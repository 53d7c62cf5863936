#include "debit.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace privpfc::cli {
namespace {

// Made before the debit, so that saying it needs no memory: there may be none left.
struct Notes {
  std::string under_way;
  std::string lost;
  std::string kept;
};

// Never destroyed: an interrupt may come while the program ends.
Notes& notes() {
  static Notes* const all = new Notes;
  return *all;
}

std::atomic<const char*> last_words = nullptr;
std::atomic<bool> paid_is_kept = false;
std::mutex results_mutex;

// A broken contract, and libraries that find no memory, end the program so.
void say_on_abort(int which) {
  if (const char* text = last_words) {
    for (const char* part : {"privpfc: ", text, "\n"}) {
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, part, std::strlen(part));
    }
  }
  ::signal(which, SIG_DFL);
  ::raise(which);
}

}  // namespace

Result<Budget> debit(Ledger& ledger, const Spending& spending, Epsilon epsilon, Delta delta,
                     const std::string& purpose, const std::string& kept) {
  const std::string amount = delta == Delta() ? fmt::format("epsilon {}", epsilon.to_string())
                                              : fmt::format("epsilon {} with delta {}",
                                                            epsilon.to_string(), delta.to_string());
  const std::string debited = fmt::format("{} was debited from '{}'", amount, spending.dataset);
  notes().under_way =
      fmt::format("{} may have been debited from '{}'; `privpfc ledger show --ledger {}` tells",
                  amount, spending.dataset, spending.ledger);
  notes().lost = debited + " and is not paid back";
  notes().kept = fmt::format("{}, and {}", kept, debited);
  ::signal(SIGABRT, say_on_abort);
  ::signal(SIGPIPE, SIG_IGN);
  last_words = notes().under_way.c_str();
  Result<Budget> budget = ledger.withdraw(spending.dataset, epsilon, purpose, utc_now(), delta);
  last_words = budget.ok() ? notes().lost.c_str() : nullptr;
  return budget;
}

void note_that_result_is_kept() {
  if (last_words == nullptr) return;
  last_words = notes().kept.c_str();
  paid_is_kept = true;
}

bool result_is_kept() {
  return paid_is_kept;
}

Status keep_result(OutputFile& file) {
  const std::unique_lock lock = hold_results();
  PRIVPFC_TRY(file.keep(/*sync=*/true));
  note_that_result_is_kept();
  return {};
}

std::unique_lock<std::mutex> hold_results() {
  return std::unique_lock(results_mutex);
}

const char* debit_note() {
  return last_words;
}

}  // namespace privpfc::cli
