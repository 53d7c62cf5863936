#include "privpfc/release/ledger.h"

#include <fmt/format.h>

#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "commands.h"
#include "privpfc/base/printed_json.h"

namespace privpfc::cli {

namespace {

struct LedgerOptions {
  std::string file;
  std::string dataset;
  std::string cap;
  std::string delta_cap;
  std::optional<std::string> known_head;
  bool json = false;
};

// Nine decimals survive a double and come out of the JSON writer as they went in.
nlohmann::json number(const std::optional<Epsilon>& epsilon) {
  if (!epsilon) return nullptr;
  return static_cast<double>(epsilon->units()) / static_cast<double>(Epsilon::kUnitsPerOne);
}

std::string text(const std::optional<Epsilon>& epsilon) {
  return epsilon ? epsilon->to_string() : "-";
}

nlohmann::json to_json(const LedgerAccount& account) {
  return {{"dataset", account.dataset},
          {"cap", number(account.cap)},
          {"spent", number(account.spent)},
          {"left", number(account.left())},
          {"debits", account.debits},
          {"delta_cap", account.delta_cap.to_string()},
          {"delta_spent", account.delta_spent.to_string()}};
}

nlohmann::json to_json(const LedgerEntry& entry) {
  return {{"number", entry.number},
          {"kind", entry.kind == LedgerEntry::Kind::kOpen ? "init" : "debit"},
          {"dataset", entry.dataset},
          {"epsilon", number(entry.amount)},
          {"delta", entry.delta.to_string()},
          {"purpose", entry.purpose},
          {"time", entry.time},
          {"hash", entry.hash}};
}

Status init(const LedgerOptions& options) {
  PRIVPFC_ASSIGN(const Epsilon cap, Epsilon::parse(options.cap));
  Delta delta_cap;
  if (!options.delta_cap.empty()) {
    PRIVPFC_ASSIGN(delta_cap, Delta::parse(options.delta_cap));
  }
  PRIVPFC_ASSIGN(Ledger ledger, Ledger::open_or_create(options.file));
  PRIVPFC_TRY(ledger.add_dataset(options.dataset, cap, utc_now(), delta_cap));
  if (options.json) {
    PRIVPFC_ASSIGN(const LedgerHistory history, ledger.history());
    fmt::print("{}", printed_json(to_json(*history.find(options.dataset))));
  } else {
    fmt::print(stderr, "The ledger '{}' has data set '{}' with a budget of epsilon {}{}.\n",
               options.file, options.dataset, cap.to_string(),
               delta_cap == Delta() ? "" : fmt::format(" and delta {}", delta_cap.to_string()));
  }
  return {};
}

Status show(const LedgerOptions& options) {
  PRIVPFC_ASSIGN(Ledger ledger, Ledger::open(options.file));
  PRIVPFC_ASSIGN(const LedgerHistory history, ledger.history());
  if (!options.dataset.empty() && history.find(options.dataset) == nullptr) {
    return make_error(ErrorKind::kIo, "the ledger '{}' has no data set '{}'", options.file,
                      options.dataset);
  }
  const auto wanted = [&](const auto& line) {
    return options.dataset.empty() || line.dataset == options.dataset;
  };
  if (options.json) {
    nlohmann::json document{{"ledger", options.file},
                            {"head", history.head},
                            {"datasets", nlohmann::json::array()},
                            {"entries", nlohmann::json::array()}};
    for (const auto& account : history.accounts) {
      if (wanted(account)) document["datasets"].push_back(to_json(account));
    }
    for (const auto& entry : history.entries) {
      if (wanted(entry)) document["entries"].push_back(to_json(entry));
    }
    fmt::print("{}", printed_json(document));
    return {};
  }
  fmt::print("{:<24} {:>14} {:>14} {:>14} {:>7}\n", "data set", "cap", "spent", "left", "debits");
  for (const auto& account : history.accounts) {
    if (!wanted(account)) continue;
    fmt::print("{:<24} {:>14} {:>14} {:>14} {:>7}\n", account.dataset, text(account.cap),
               account.spent.to_string(), text(account.left()), account.debits);
    if (account.delta_cap != Delta()) {
      fmt::print("{:<24} {:>14} {:>14} {:>14}\n", "  delta", account.delta_cap.to_string(),
                 account.delta_spent.to_string(),
                 (account.delta_cap - account.delta_spent).to_string());
    }
  }
  fmt::print("\n{:>5}  {:<20}  {:<5} {:>14}  {}\n", "line", "time", "what", "epsilon", "data set");
  for (const auto& entry : history.entries) {
    if (!wanted(entry)) continue;
    fmt::print("{:>5}  {:<20}  {:<5} {:>14}  {}{}\n", entry.number, entry.time,
               entry.kind == LedgerEntry::Kind::kOpen ? "init" : "debit", text(entry.amount),
               entry.dataset,
               entry.kind == LedgerEntry::Kind::kOpen
                   ? ""
                   : fmt::format(" ({}{})", entry.purpose,
                                 entry.delta == Delta()
                                     ? ""
                                     : fmt::format(", delta {}", entry.delta.to_string())));
  }
  fmt::print("\nhead {}\n", history.head);
  return {};
}

// A head that was cut short must not look like a ledger that was replaced.
Result<std::optional<std::string>> read_head(const std::optional<std::string>& text) {
  if (!text) return std::optional<std::string>();
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  if (text->size() != 64 || text->find_first_not_of(kDigits) != std::string::npos) {
    return make_error(ErrorKind::kUsage,
                      "--head takes a whole head, the 64 hexadecimal digits that `privpfc ledger "
                      "verify` prints");
  }
  std::string head = *text;
  for (char& c : head) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::optional(std::move(head));
}

Status verify(const LedgerOptions& options) {
  PRIVPFC_ASSIGN(const std::optional<std::string> known_head, read_head(options.known_head));
  PRIVPFC_ASSIGN(Ledger ledger, Ledger::open(options.file));
  PRIVPFC_TRY(ledger.verify(known_head));
  PRIVPFC_ASSIGN(const LedgerHistory history, ledger.history());
  if (options.json) {
    const nlohmann::json document{{"ledger", options.file},
                                  {"sound", true},
                                  {"lines", history.entries.size()},
                                  {"head", history.head}};
    fmt::print("{}", printed_json(document));
  } else {
    fmt::print("All {} lines of '{}' follow from each other.\nhead {}\n", history.entries.size(),
               options.file, history.head);
    if (!known_head) {
      fmt::print(stderr,
                 "Note the head elsewhere: `--head` can then tell an older copy of the file.\n");
    }
  }
  return {};
}

}  // namespace

void add_ledger(CLI::App& app, Action& action) {
  CLI::App* ledger = add_command(app, "ledger", "Epsilon spent per data set: budget and history",
                                 "privpfc ledger show --ledger budget.db");
  ledger->require_subcommand(1);
  const auto options = std::make_shared<LedgerOptions>();
  const auto common = [&](CLI::App* command) {
    command->add_option("--ledger", options->file, "the ledger's file")
        ->required()
        ->type_name("FILE");
    command->add_flag("--json", options->json, "print JSON");
  };

  CLI::App* init_command =
      add_command(*ledger, "init", "Enter a data set and the most that may ever be spent on it",
                  "privpfc ledger init --ledger budget.db --dataset adult --cap 2");
  common(init_command);
  init_command->add_option("--dataset", options->dataset, "a name for the data set")
      ->required()
      ->type_name("NAME");
  init_command
      ->add_option("--cap", options->cap, "its budget, which the sum of all epsilons never passes")
      ->required()
      ->type_name("E");
  init_command
      ->add_option("--delta-cap", options->delta_cap,
                   "also allow methods that are private but for a probability of delta; their sum "
                   "never passes this (default: none)")
      ->type_name("D");
  init_command->callback([options, &action] { action = [options] { return init(*options); }; });

  CLI::App* show_command = add_command(*ledger, "show", "Budgets and every line",
                                       "privpfc ledger show --ledger budget.db --dataset adult");
  common(show_command);
  show_command->add_option("--dataset", options->dataset, "only this data set")->type_name("NAME");
  show_command->callback([options, &action] { action = [options] { return show(*options); }; });

  CLI::App* verify_command =
      add_command(*ledger, "verify", "Check that no line was changed, added or removed",
                  "privpfc ledger verify --ledger budget.db\n"
                  "  privpfc ledger verify --ledger budget.db --head \"$(cat noted-head.txt)\"");
  common(verify_command);
  verify_command
      ->add_option("--head", options->known_head,
                   "a head noted earlier, all 64 digits: fails if the ledger does not contain it")
      ->type_name("HASH");
  verify_command->callback([options, &action] { action = [options] { return verify(*options); }; });
}

}  // namespace privpfc::cli
