#include "privpfc/classifiers/train.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "option_uses.h"
#include "output.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/classifiers/model_file.h"
#include "privpfc/io/output_file.h"
#include "privpfc/schema/schema_writer.h"
#include "train_private.h"
#include "training_table.h"
#include "unread_warning.h"

namespace privpfc::cli {
namespace {

using Json = nlohmann::ordered_json;

// Above this an SVM with a kernel takes minutes, and somebody should know why.
constexpr std::size_t kManyPoints = 20'000;

struct TrainCommand {
  TrainingSource source;
  PrivateTraining privately;
  std::string kind;
  TrainOptions train;
  Scaling scaling = Scaling::kStandard;
  double cost = 1;
  std::size_t folds = 3;
  std::uint64_t seed = 1;
  std::string out;
  bool json = false;
  bool quiet = false;
};

Status run(TrainCommand options, const CLI::App& command) {
  if (!options.privately.method.empty() && is_release(options.source)) {
    return make_error(ErrorKind::kUsage,
                      "a release is private already, and whatever is trained on it: --private is "
                      "for private rows; leave it and --epsilon out, and say --model KIND");
  }
  if (options.source.schema.empty() && !is_release(options.source)) {
    return make_error(ErrorKind::kUsage, "--schema is needed, unless DATA is a release");
  }
  if (!options.privately.method.empty()) {
    PRIVPFC_TRY(find_direct_method(options.privately.method, options.privately.options));
  } else if (options.kind.empty()) {
    return make_error(ErrorKind::kUsage, "--model KIND (or --private METHOD) is required");
  }
  PRIVPFC_TRY(check_options_have_a_use(command, options.privately.method, options.kind));
  if (!options.privately.method.empty()) {
    return train_privately(std::move(options.privately), options.source, options.kind, options.out,
                           options.json, options.quiet);
  }
  const ModelKind kind = *model_kind(options.kind);
  // Before any work: a model that cannot be kept is not worth waiting for.
  PRIVPFC_ASSIGN(OutputFile file, OutputFile::create(options.out, false, kFileMode));
  options.train.svm.scaling = options.train.linear_svm.scaling = options.train.logistic.scaling =
      options.scaling;
  options.train.svm.cost = options.train.linear_svm.cost = options.cost;
  options.train.svm.probability_folds = options.train.linear_svm.probability_folds = options.folds;
  options.train.set_seed(options.seed);
  options.train.set_threads(options.source.threads);

  PRIVPFC_ASSIGN(TrainingTable table, load_training_table(options.source, kind));
  if (!options.quiet) warn_of_unread(table.unread, options.source.paths, options.source.schema);
  PRIVPFC_TRY(check_dataset(table.data, table.space));
  const Dataset merged = merge_equal_rows(table.data);
  if (merged.count() == 0) return make_error(ErrorKind::kData, "there are no rows to train on");
  if (kind == ModelKind::kSvm && merged.count() > kManyPoints && !options.quiet) {
    fmt::print(stderr,
               "privpfc: this SVM has many distinct rows and may take long; "
               "--model linear-svm is made for that\n");
  }
  SavedModel saved;
  saved.model = std::move(table.model);
  if (!saved.model) {
    PRIVPFC_ASSIGN(saved.model, train_merged(kind, table.space, merged, options.train));
  }
  if (!saved.model->converged()) {
    fmt::print(
        stderr,
        "privpfc: training was stopped before it had converged; the model works, but another "
        "--cost, --l2 or --scaling may give a better one\n");
  }
  saved.schema = std::move(table.schema);
  saved.views = std::move(table.views);
  saved.space = std::move(table.space);
  saved.guarantee = std::move(table.guarantee);
  const std::string text = write_model(saved);
  if (text.size() > kMostModelBytes) {
    return make_error(ErrorKind::kLimit,
                      "the model takes more than the {} MiB that a model file may have; train on "
                      "fewer distinct rows, or another kind of model",
                      kMostModelBytes >> 20);
  }
  PRIVPFC_TRY(file.write(text.data(), text.size()));
  PRIVPFC_TRY(file.keep(/*sync=*/false));
  if (!table.is_private) {
    // Not silenced by --quiet: whoever passes the model on must have seen it.
    fmt::print(stderr, "privpfc: not private: for public data, a release, or your own eyes\n");
  } else if (!options.quiet) {
    fmt::print(stderr, "guarantee: {}\n", saved.guarantee);
  }
  if (options.json) {
    return write_output("", printed_json(Json{{"model", model_name(kind)},
                                              {"private", table.is_private},
                                              {"guarantee", saved.guarantee},
                                              {"rows", table.data.count()},
                                              {"distinct_rows", merged.count()},
                                              {"converged", saved.model->converged()},
                                              {"features", saved.space.features.size()},
                                              {"classes", saved.space.classes},
                                              {"schema_hash", schema_hash(saved.schema)},
                                              {"out", options.out}}));
  }
  if (!options.quiet) {
    fmt::print(stderr, "{} model in {}\n", model_name(kind), options.out);
  }
  return {};
}

template <typename Value>
CLI::Option* add_choice(CLI::App* command, const std::string& name, Value& value,
                        const std::map<std::string, Value>& choices, const std::string& help) {
  return command->add_option(name, value, help)
      ->transform(CLI::CheckedTransformer(choices, CLI::ignore_case))
      ->option_text("CHOICE");
}

void add_model_options(CLI::App* command, TrainCommand& options) {
  const CLI::Range positive(1e-300, 1e300);
  const CLI::Range not_negative(0.0, 1e300);
  add_choice<NaiveBayesOptions::Density>(
      command, "--density", options.train.naive_bayes.density,
      {{"gaussian", NaiveBayesOptions::Density::kGaussian},
       {"truncated", NaiveBayesOptions::Density::kTruncated}},
      "nb: numbers as gaussian (default) or truncated at their bounds");
  command
      ->add_option("--smoothing", options.train.naive_bayes.smoothing,
                   "nb: weight added to every class and category (default 1)")
      ->check(positive);
  add_choice<KernelFunction::Kind>(command, "--kernel", options.train.svm.kernel,
                                   {{"rbf", KernelFunction::Kind::kRbf},
                                    {"linear", KernelFunction::Kind::kLinear},
                                    {"poly", KernelFunction::Kind::kPolynomial}},
                                   "svm: rbf (default), linear or poly");
  command->add_option("--cost", options.cost, "svm, linear-svm: C (default 1)")->check(positive);
  command
      ->add_option("--gamma", options.train.svm.gamma,
                   "svm: of the kernel (default: 1 over the inputs' total variance)")
      ->check(positive);
  command->add_option("--degree", options.train.svm.degree, "svm: of the poly kernel (default 3)")
      ->check(CLI::Range(1, 20));
  command->add_option("--offset", options.train.svm.offset, "svm: of the poly kernel (default 0)")
      ->check(CLI::Range(-1e6, 1e6));
  command
      ->add_option("--probability-folds", options.folds,
                   "svm, linear-svm: folds for the probabilities (default 3; 0: rough ones)")
      ->check(CLI::Range(0U, 100U));
  add_choice<Scaling>(command, "--scaling", options.scaling,
                      {{"standard", Scaling::kStandard}, {"bounds", Scaling::kBounds}},
                      "svm, linear-svm, logistic: numbers by mean and deviation (standard, "
                      "default) or by their public bounds");
  command->add_option("--l2", options.train.logistic.l2, "logistic: penalty (default 1)")
      ->check(positive);
  add_choice<Impurity>(command, "--impurity", options.train.tree.grow.impurity,
                       {{"gini", Impurity::kGini}, {"entropy", Impurity::kEntropy}},
                       "tree: gini (default) or entropy");
  command
      ->add_option("--min-split", options.train.tree.grow.least_split_weight,
                   "tree: rows that a node needs to be split (default 20)")
      ->check(not_negative);
  command
      ->add_option("--min-leaf", options.train.tree.grow.least_leaf_weight,
                   "tree: rows that a leaf needs (default 7)")
      ->check(not_negative);
  command->add_option("--max-depth", options.train.tree.grow.most_depth, "tree: (default 30)")
      ->check(CLI::Range(0U, 1000U));
  command
      ->add_option("--prune-folds", options.train.tree.folds,
                   "tree: folds of the cross-validation that prunes it (default 10; 0: no "
                   "cross-validation)")
      ->check(CLI::Range(0U, 100U));
  command
      ->add_option("--prune-errors", options.train.tree.standard_errors,
                   "tree: the smallest tree within so many standard errors of the best (default 1)")
      ->check(not_negative);
  command
      ->add_option("--prune-price", options.train.tree.price,
                   "tree: price per leaf, with --prune-folds 0 (default 0)")
      ->check(not_negative);
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "train", "Train a classifier on a table and save it",
      "privpfc train stays.parquet --schema stays.yaml --model tree --out tree.json\n"
      "  privpfc train stays.csv --schema stays.yaml --model svm --kernel rbf --cost 10 --out "
      "s.json\n"
      "  privpfc train release --model nb --out nb.json\n"
      "  privpfc train stays.csv --schema stays.yaml --private nb-laplace --epsilon 0.5 --out "
      "m.json\n\n"
      "Without --private, a model that is trained on the rows of a table is not private: it is "
      "for\n"
      "public data or for your own eyes, and its file says so. One that is trained on a release "
      "has\n"
      "the release's guarantee; the histogram then reads the release's noisy counts, all others "
      "its\n"
      "synthetic rows. docs/models.md describes the kinds, their defaults and the file;\n"
      "docs/methods/ the private methods.\n\n"
      "Exit codes: 0 fine, 2 usage, 3 the data does not fit, 4 the schema has mistakes, 5 the\n"
      "budget does not allow it, 6 a file cannot be read or written, 7 a limit was passed, 130\n"
      "interrupted.");
  auto options = std::make_shared<TrainCommand>();
  command
      ->add_option("DATA", options->source.paths,
                   "CSV or Parquet files, or directories of them; or one release")
      ->required();
  command->add_option("--schema", options->source.schema,
                      "Schema file (YAML); not needed for a release");
  std::vector<std::string> kinds;
  for (const ModelKind kind :
       {ModelKind::kNaiveBayes, ModelKind::kSvm, ModelKind::kLinearSvm, ModelKind::kTree,
        ModelKind::kLogistic, ModelKind::kHistogram, ModelKind::kMajority}) {
    kinds.emplace_back(model_name(kind));
  }
  command
      ->add_option("--model", options->kind,
                   "nb, svm, linear-svm, tree, logistic, histogram or majority; required without "
                   "--private")
      ->check(CLI::IsMember(kinds))
      ->option_text("KIND");
  add_private_options(*command, options->privately);
  command->add_option("--out", options->out, "The model file (JSON)")->required();
  add_choice<bool>(
      command, "--numbers", options->source.numbers_as_bins, {{"plain", false}, {"bins", true}},
      "Numeric attributes as plain numbers (default), or as the schema's finest bins, or the "
      "groups of a release");
  add_model_options(command, *options);
  command->add_flag("--ignore-extra-columns", options->source.ignore_extra_columns,
                    "Columns that the schema does not name are not read");
  command->add_option("--seed", options->seed, "For folds and orders (default 1)");
  command
      ->add_option("--threads", options->source.threads, "Threads to use (default: one per core)")
      ->check(CLI::Range(1U, 1024U));
  command->add_flag("--json", options->json, "A summary as JSON on standard output");
  command->add_flag("--quiet", options->quiet, "Say nothing but errors and what is not private");
  command->callback([&action, options, command] {
    action = [options, command] { return run(*options, *command); };
  });
}

}  // namespace privpfc::cli
