#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "privpfc/experiments/comparison.h"
#include "privpfc/experiments/comparison_file.h"
#include "privpfc/experiments/comparison_page.h"
#include "privpfc/experiments/comparison_summary.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"
#include "progress.h"

namespace privpfc::cli {
namespace {

namespace fs = std::filesystem;

struct CompareCommand {
  ExperimentTable::Source source;
  std::string schema;
  std::vector<std::string> epsilons;
  std::vector<std::string> methods{"all"};
  std::size_t folds = 10;
  ComparisonOptions comparison;
  std::string out;
  bool json = false;
  bool quiet = false;
};

constexpr const char* kJournal = "unfinished.jsonl";
constexpr const char* kNote =
    "An experiment on rows that you may see in full: what it prints and writes is not private, and "
    "not a release.";

// A new directory, or one with an unfinished comparison.
Status make_place(const std::string& out) {
  std::error_code code;
  if (fs::exists(fs::path(out) / kJournal, code)) return {};
  if (!fs::create_directory(out, code)) {
    return make_error(
        ErrorKind::kIo, "{}: {}", out,
        code ? code.message() : "exists already, and holds no unfinished comparison to go on with");
  }
  fs::permissions(out, fs::perms::owner_all, code);
  return {};
}

// Which experiment this is: everything that its results depend on, but for the methods, which may
// be added to an unfinished one.
std::string experiment_name(const ExperimentTable& table, const CompareCommand& options,
                            std::size_t folds) {
  return fmt::format("schema {} table {} folds {} column '{}' repeats {} seed {} version {}",
                     schema_hash(table.schema()), table.hash(), folds, options.source.fold_column,
                     options.comparison.repeats, options.comparison.seed, PRIVPFC_VERSION);
}

Status run(CompareCommand options) {
  for (const std::string& text : options.epsilons) {
    PRIVPFC_ASSIGN(const Epsilon epsilon, Epsilon::parse(text));
    options.comparison.epsilons.push_back(epsilon);
  }
  std::sort(options.comparison.epsilons.begin(), options.comparison.epsilons.end());
  PRIVPFC_ASSIGN(const auto contenders, find_contenders(options.methods));
  PRIVPFC_ASSIGN(Schema schema, load_schema(options.schema));
  clean_up_on_interrupt(
      "the comparison had not come to its end; the same command goes on where this one stopped");
  options.source.threads = options.comparison.threads;
  const std::clock_t reading = std::clock();
  PRIVPFC_ASSIGN(const ExperimentTable table,
                 ExperimentTable::load(options.source, std::move(schema)));
  const double reading_seconds = static_cast<double>(std::clock() - reading) / CLOCKS_PER_SEC;
  const bool has_column = !options.source.fold_column.empty();
  if (!has_column && table.rows() < 2 * options.folds) {
    return make_error(ErrorKind::kData, "{} rows are too few for {} folds", table.rows(),
                      options.folds);
  }
  const std::vector<Split> splits =
      has_column ? splits_by_fold(table.column_folds())
                 : stratified_splits(table.labels(), options.folds, options.comparison.seed);

  PRIVPFC_TRY(make_place(options.out));
  const fs::path place(options.out);
  PRIVPFC_ASSIGN(const std::unique_ptr<Journal> journal,
                 Journal::open(place / kJournal, experiment_name(table, options, splits.size())));
  if (!options.quiet) {
    fmt::print(stderr, "{}\n", kNote);
    if (table.schema().person) {
      fmt::print(stderr,
                 "Rows are taken as rows here: every epsilon is of one row, though the schema "
                 "declares a person.\n");
    }
    if (journal->size() > 0) {
      fmt::print(stderr, "Going on with an unfinished comparison: {} parts are there already.\n",
                 journal->size());
    }
  }
  std::optional<Progress> bar;
  PRIVPFC_ASSIGN(const ComparisonResults results,
                 compare_methods(table, splits, contenders, options.comparison, *journal,
                                 [&](std::size_t done, std::size_t of) {
                                   if (!bar) bar.emplace("comparing", of, options.quiet);
                                   bar->update(done);
                                 }));
  bar.reset();
  const std::vector<ComparisonLine> lines = summarise(results);
  const ComparisonSetting setting{
      table.schema().name, schema_hash(table.schema()), table.hash(),       table.rows(),
      splits.size(),       options.source.fold_column,  options.comparison, PRIVPFC_VERSION,
      reading_seconds};
  const std::string json = comparison_json(results, lines, setting);
  // An earlier run may have come as far as here.
  std::error_code ignored;
  for (const char* name : {"results.parquet", "summary.json", "report.html"}) {
    fs::remove(place / name, ignored);
  }
  PRIVPFC_TRY(write_comparison(results, place / "results.parquet"));
  PRIVPFC_TRY(write_output((place / "summary.json").string(), json));
  PRIVPFC_TRY(
      write_output((place / "report.html").string(), comparison_page(results, lines, setting)));
  fs::remove(place / kJournal, ignored);
  if (options.json) return write_output("", json);
  PRIVPFC_TRY(write_output("", comparison_text(lines, results.gaps, options.comparison.epsilons)));
  if (!options.quiet) {
    fmt::print(
        stderr,
        "Open {0}/report.html; the figures are in {0}/results.parquet and {0}/summary.json\n",
        options.out);
  }
  return {};
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "compare", "Run every method on the same folds at the same epsilons",
      "privpfc compare samples/readmission.parquet --schema samples/readmission.yaml \\\n"
      "    --epsilon 0.1,1 --methods privpfc,majority --folds 5 --repeats 3 --out comparison\n\n"
      "An experiment, for data that you may see in full: its noise is drawn from --seed, and what\n"
      "it writes is not a release and not private. Interrupted, it goes on where it stopped when\n"
      "the same command is given again. `privpfc methods` lists the methods.\n\n"
      "Exit codes: 0 fine, 2 usage, 3 input data, 4 schema, 6 a file cannot be read or written,\n"
      "130 interrupted.");
  auto options = std::make_shared<CompareCommand>();
  command->add_option("DATA", options->source.paths, "CSV or Parquet files, or directories of them")
      ->required();
  command->add_option("--schema", options->schema, "The public schema (YAML)")->required();
  command->add_option("--epsilon", options->epsilons, "Epsilons, with commas between them")
      ->required()
      ->delimiter(',');
  command
      ->add_option("--methods", options->methods,
                   "Names, with commas; all: every one but those for experiments only (default)")
      ->delimiter(',');
  CLI::Option* folds =
      command->add_option("--folds", options->folds, "Folds, stratified by the label (default 10)")
          ->check(CLI::Range(2U, 1000U));
  command
      ->add_option("--fold-column", options->source.fold_column,
                   "Take the folds from this column instead")
      ->excludes(folds);
  command
      ->add_option("--repeats", options->comparison.repeats,
                   "Runs on each fold, each with noise of its own (default 10)")
      ->check(CLI::Range(1U, 10000U));
  command->add_option("--seed", options->comparison.seed, "Of folds and noise (default 1)");
  command
      ->add_option("--threads", options->comparison.threads,
                   "Threads to use (default: one per core); results do not depend on it")
      ->check(CLI::Range(1U, 1024U));
  command->add_option("--out", options->out, "The directory for the results; must not exist")
      ->required();
  command->add_flag("--ignore-extra-columns", options->source.ignore_extra_columns,
                    "Allow columns that the schema does not name");
  command->add_flag("--json", options->json, "The summary as JSON on standard output");
  command->add_flag("--quiet", options->quiet, "No messages but errors");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace privpfc::cli
