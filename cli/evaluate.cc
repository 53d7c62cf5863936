#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "debit.h"
#include "interrupt.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/evaluation/evaluation.h"
#include "privpfc/evaluation/evaluation_report.h"
#include "privpfc/evaluation/paid_report.h"
#include "privpfc/io/input_file.h"
#include "privpfc/pipeline/person_epsilon.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/system_bits.h"
#include "privpfc/release/ledger.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/unit.h"
#include "reports.h"
#include "spending.h"
#include "stage_line.h"
#include "unread_warning.h"

namespace privpfc::cli {
namespace {

namespace fs = std::filesystem;

struct EvaluateCommand {
  std::string release;
  std::vector<std::string> test;
  std::vector<std::string> train;
  std::string schema;
  std::string html;
  Spending spending;  // with --epsilon-eval
  bool ignore_extra_columns = false;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool json = false;
  bool quiet = false;
};

RealSource source_of(const EvaluateCommand& options, const std::vector<std::string>& paths) {
  RealSource source{paths, options.ignore_extra_columns, options.threads, {}};
  source.limits.rows = kMostRows;
  return source;
}

struct Prepared {
  Release release;
  ReleaseSpaces spaces;
  ReleaseModels models;
};

// Everything that needs the release alone.
Result<Prepared> prepare(const EvaluateCommand& options, const TrainOptions& train,
                         const StageLine& stage) {
  stage("release");
  Prepared prepared;
  PRIVPFC_ASSIGN(prepared.release, open_release_to_learn(options.release));
  if (!options.schema.empty()) {
    PRIVPFC_ASSIGN(const Schema schema, load_schema(options.schema));
    PRIVPFC_TRY(check_release_schema(prepared.release, schema));
  }
  PRIVPFC_ASSIGN(prepared.spaces, make_release_spaces(prepared.release));
  PRIVPFC_ASSIGN(prepared.models,
                 train_on_release(prepared.release, prepared.spaces, train, options.threads,
                                  [&](auto name) { stage(name); }));
  return prepared;
}

// A file that was given twice is no mistake that stops the work, but its figures are too good.
void warn_of_shared_files(const EvaluateCommand& options) {
  const auto test = list_input_files({options.test.begin(), options.test.end()});
  const auto train = list_input_files({options.train.begin(), options.train.end()});
  if (!test.ok() || !train.ok()) return;  // reading them says why
  for (const fs::path& held_out : test->paths) {
    const bool shared = std::ranges::any_of(train->paths, [&](const fs::path& path) {
      std::error_code ignored;
      return fs::equivalent(held_out, path, ignored);
    });
    if (!shared) continue;
    fmt::print(stderr,
               "privpfc: {} is named by --test and by --train: its rows are not held out, and the "
               "figures are better than they should be\n",
               held_out.string());
  }
}

Status evaluate_internally(const EvaluateCommand& options, const TrainOptions& train) {
  PRIVPFC_ASSIGN(Reports reports, Reports::reserve(options.html, options.json, 0600));
  if (!options.train.empty()) warn_of_shared_files(options);
  const StageLine stage(options.quiet);
  PRIVPFC_ASSIGN(const Prepared prepared, prepare(options, train, stage));
  // Figures for the curator's eyes are about rows as they are.
  const auto all_rows = [&](const std::vector<std::string>& paths) {
    RealSource source = source_of(options, paths);
    source.caps_persons = false;
    return source;
  };
  EvaluationInputs inputs{all_rows(options.test), std::nullopt, train};
  if (!options.train.empty()) inputs.train = all_rows(options.train);
  PRIVPFC_ASSIGN(const Diagnostic<Evaluation> evaluation,
                 evaluate_release(prepared.release, prepared.spaces, prepared.models, inputs,
                                  options.threads, [&](auto name) { stage(name); }));
  stage.clear();
  const std::string schema =
      options.schema.empty() ? (fs::path(options.release) / kSchemaFile).string() : options.schema;
  warn_of_unread(evaluation.value().unread_test, options.test, schema);
  warn_of_unread(evaluation.value().unread_train, options.train, schema);
  const Release& release = prepared.release;
  return reports.write([&] { return evaluation_text(release, evaluation); },
                       [&] { return evaluation_json(release, evaluation); },
                       [&] { return evaluation_page(release, evaluation); });
}

// From here on nothing may depend on the held-out rows but through the kernel.
Status evaluate_to_publish(const EvaluateCommand& options, const TrainOptions& train) {
  if (!options.train.empty()) {
    return make_error(ErrorKind::kUsage,
                      "--epsilon-eval and --train do not go together: what is computed on the "
                      "training rows as they are may not be published");
  }
  if (options.spending.ledger.empty() || options.spending.dataset.empty()) {
    return make_error(
        ErrorKind::kUsage,
        "--epsilon-eval needs --ledger FILE and --dataset NAME: whose budget is to be "
        "debited?");
  }
  PRIVPFC_ASSIGN(const Epsilon epsilon, read_epsilon(options.spending));
  clean_up_on_interrupt("the figures were not written");
  PRIVPFC_ASSIGN(Reports reports, Reports::reserve(options.html, options.json, 0644));
  const StageLine stage(options.quiet);
  PRIVPFC_ASSIGN(const Prepared prepared, prepare(options, train, stage));
  PRIVPFC_TRY(row_epsilon(prepared.release.schema, epsilon));
  stage("held-out rows");
  PRIVPFC_ASSIGN(RealRows read, read_real_rows(source_of(options, options.test),
                                               prepared.release.schema, prepared.spaces));
  const Private<RealRows> rows(std::move(read));
  PRIVPFC_ASSIGN(Ledger ledger, Ledger::open(options.spending.ledger));
  PRIVPFC_ASSIGN(Budget budget, debit(ledger, options.spending, epsilon, {},
                                      purpose_by_unit("evaluate", prepared.release.schema),
                                      fmt::format("the figures are in {}", options.html)));
  SystemBits bits;
  Kernel kernel(bits);
  const Released<PaidEvaluation> paid =
      pay_for_evaluation(rows, prepared.models, prepared.release.schema, kernel, std::move(budget));
  stage.clear();
  const Release& release = prepared.release;
  const Status written = reports.write([&] { return paid_text(release, paid); },
                                       [&] { return paid_json(release, paid); },
                                       [&] { return paid_page(release, paid); });
  if (written.ok() || result_is_kept()) return written;
  return make_error(written.error().kind, "{}; the figures are lost{}", written.error().message,
                    options.html.empty() ? ": next time, --html FILE keeps them" : "");
}

Status run(const EvaluateCommand& options) {
  TrainOptions train;
  train.set_seed(options.seed);
  train.set_threads(options.threads);
  if (!options.spending.epsilon.empty()) return evaluate_to_publish(options, train);
  if (!options.spending.ledger.empty() || !options.spending.dataset.empty()) {
    return make_error(ErrorKind::kUsage,
                      "--ledger and --dataset are for --epsilon-eval; without it nothing is paid "
                      "for, and nothing may be published");
  }
  return evaluate_internally(options, train);
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "evaluate", "Measure what a release is worth, on real held-out rows",
      "privpfc evaluate release --test held-out.parquet --train table.parquet --html report.html\n"
      "  privpfc evaluate release --test held-out.parquet --epsilon-eval 0.1 --ledger ledger.db "
      "\\\n"
      "    --dataset held-out --html public.html\n\n"
      "Trains naive Bayes, an SVM, a tree, logistic regression and the histogram on the release,\n"
      "and counts their mistakes on rows that the release was not made from. The figures are\n"
      "computed on real rows: for internal use. With --train, the same learners trained on the\n"
      "real rows stand beside them. docs/evaluation.md says what is measured and how.\n\n"
      "With --epsilon-eval the figures are noisy instead, and paid for: the budget of the data "
      "set\n"
      "that the held-out rows belong to is debited in the ledger first. By asking for it you\n"
      "declare that these rows were not published from. The output may then be published, and\n"
      "holds nothing else that depends on real rows.\n\n"
      "Exit codes: 0 fine, 2 usage, 3 the data or the release is not sound, 4 the schema does not\n"
      "fit, 5 budget refused, 6 ledger or I/O, 7 a limit, 130 interrupted.");
  auto options = std::make_shared<EvaluateCommand>();
  command->add_option("RELEASE", options->release, "A release directory")->required();
  command->add_option("--test", options->test, "Held-out rows: CSV or Parquet files or directories")
      ->required();
  command->add_option("--train", options->train,
                      "The rows that the release was made from, to compare with");
  command->add_option("--schema", options->schema,
                      "Make sure that the release was made with this schema");
  command->add_option("--html", options->html, "Also write a page to this new file");
  command->add_option("--epsilon-eval", options->spending.epsilon,
                      "Pay for figures that may be published; no default");
  command->add_option("--ledger", options->spending.ledger,
                      "With --epsilon-eval: the record of epsilon");
  command->add_option("--dataset", options->spending.dataset,
                      "With --epsilon-eval: the name of the held-out rows' data set in the ledger");
  command->add_flag("--yes", options->spending.yes, "Do not ask about an unusually large epsilon");
  command->add_flag("--ignore-extra-columns", options->ignore_extra_columns,
                    "Columns that the schema does not name are not read");
  command->add_option("--seed", options->seed, "For folds and samples in training (default 1)");
  command->add_option("--threads", options->threads, "Threads to use (default: one per core)")
      ->check(CLI::Range(1U, 1024U));
  command->add_flag("--json", options->json, "JSON on standard output instead of the table");
  command->add_flag("--quiet", options->quiet, "No progress");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
