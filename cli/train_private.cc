#include "train_private.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "debit.h"
#include "interrupt.h"
#include "output.h"
#include "private_linear_flags.h"
#include "private_nb_flags.h"
#include "private_tree_flags.h"
#include "privpfc/base/printed_json.h"
#include "privpfc/classifiers/model_file.h"
#include "privpfc/counting/row_counts.h"
#include "privpfc/features/feature_reader.h"
#include "privpfc/io/output_file.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/pipeline/person_epsilon.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/system_bits.h"
#include "privpfc/schema/schema_reader.h"
#include "privpfc/schema/schema_writer.h"
#include "privpfc/schema/unit.h"

namespace privpfc::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string promise(const DirectMethod& method, Epsilon epsilon, const Schema& schema) {
  return fmt::format(
      "epsilon {}{} under adding or removing {} ({} differential privacy), method {}: trained "
      "on private rows; this model is the release.",
      epsilon.to_string(),
      method.delta() == Delta() ? "" : fmt::format(" and delta {}", method.delta().to_string()),
      unit_in_words(schema), method.guarantee() == Guarantee::kPure ? "pure" : "approximate",
      method.name());
}

}  // namespace

void add_private_options(CLI::App& command, PrivateTraining& training) {
  command
      .add_option("--private", training.method,
                  "Train under differential privacy by this method (privpfc methods); the "
                  "model may then be passed on")
      ->option_text("METHOD");
  command.add_option("--epsilon", training.spending.epsilon,
                     "With --private: the privacy loss to spend; no default");
  add_spending_options(command, training.spending);
  add_linear_flags(command, training.options.linear);
  add_private_nb_flags(command, training.options.naive_bayes);
  add_private_tree_flags(command, training.options.trees);
}

Status train_privately(PrivateTraining training, const TrainingSource& source,
                       const std::string& kind, const std::string& out, bool json, bool quiet) {
  if (training.spending.epsilon.empty()) {
    return make_error(ErrorKind::kUsage, "--private needs --epsilon: there is no default");
  }
  PRIVPFC_ASSIGN(const Epsilon epsilon, read_epsilon(training.spending));
  PRIVPFC_ASSIGN(const std::unique_ptr<DirectMethod> method,
                 find_direct_method(training.method, training.options));
  if (!kind.empty() && model_kind(kind) != method->model()) {
    return make_error(ErrorKind::kUsage, "--private {} trains a {} model, not {}", method->name(),
                      model_name(method->model()), kind);
  }
  SavedModel saved;
  PRIVPFC_ASSIGN(saved.schema, load_schema(source.schema));
  PRIVPFC_TRY(check_written_form(saved.schema));
  PRIVPFC_TRY(check_rows_of_delta(saved.schema, method->delta()));
  PRIVPFC_ASSIGN(const Epsilon of_a_row, row_epsilon(saved.schema, epsilon));
  saved.views = method->views(saved.schema, of_a_row);
  PRIVPFC_ASSIGN(saved.space, make_feature_space(saved.schema, saved.views));
  const DirectSetting setting{saved.schema, saved.space, source.threads};
  PRIVPFC_TRY(explain_row_epsilon(method->check(setting, of_a_row), saved.schema, epsilon));

  clean_up_on_interrupt("no model was written");
  // As in `publish`, all that can be refused is refused before the budget is withdrawn.
  PRIVPFC_ASSIGN(OutputFile file, OutputFile::create(out, false, kFileMode));
  ReaderLimits limits;
  limits.rows = kMostRows;
  PRIVPFC_ASSIGN(TableReader reader, TableReader::open({source.paths.begin(), source.paths.end()},
                                                       saved.schema.csv, limits));
  PRIVPFC_ASSIGN(const FeatureReader features,
                 FeatureReader::create(saved.schema, saved.space, reader.columns(),
                                       {.ignore_extra_columns = source.ignore_extra_columns}));
  PRIVPFC_ASSIGN(Dataset read, read_dataset(reader, features, source.threads));
  const Private<Dataset> rows(std::move(read));
  PRIVPFC_ASSIGN(Ledger ledger, open_ledger(training.spending, saved.schema, out, quiet));
  PRIVPFC_ASSIGN(Budget budget,
                 debit(ledger, training.spending, epsilon, method->delta(),
                       purpose_by_unit(fmt::format("train {}", method->name()), saved.schema),
                       fmt::format("the model is in {}", out)));
  SystemBits bits;
  Kernel kernel(bits);
  Released<std::unique_ptr<Model>> model =
      method->train(rows, setting, kernel, budget_for_rows(std::move(budget), saved.schema));
  saved.model = std::move(model).value();

  saved.guarantee = promise(*method, epsilon, saved.schema);
  const std::string text = write_model(saved);
  PRIVPFC_TRY(file.write(text.data(), text.size()));
  PRIVPFC_TRY(keep_result(file));
  if (json) {
    return write_output("", printed_json(Json{{"model", model_name(saved.model->kind())},
                                              {"private", true},
                                              {"method", method->name()},
                                              {"epsilon", epsilon.to_string()},
                                              {"epsilon_per_row", of_a_row.to_string()},
                                              {"delta", method->delta().to_string()},
                                              {"unit", unit_in_words(saved.schema)},
                                              {"guarantee", saved.guarantee},
                                              {"features", saved.space.features.size()},
                                              {"classes", saved.space.classes},
                                              {"schema_hash", schema_hash(saved.schema)},
                                              {"ledger", training.spending.ledger},
                                              {"dataset", training.spending.dataset},
                                              {"out", out}}));
  }
  if (!quiet) {
    fmt::print(stderr, "{} model in {}\n{}\n", model_name(saved.model->kind()), out,
               saved.guarantee);
  }
  return {};
}

}  // namespace privpfc::cli
