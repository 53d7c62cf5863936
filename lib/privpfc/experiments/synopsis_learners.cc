#include "privpfc/experiments/synopsis_learners.h"

#include "privpfc/classifiers/train.h"
#include "privpfc/experiments/cell_learning.h"
#include "privpfc/experiments/stopwatch.h"

namespace privpfc {
namespace {

TrainOptions experiment_options() {
  TrainOptions options;
  options.svm.probability_folds = 0;  // labels are enough
  options.set_threads(1);
  return options;
}

}  // namespace

const std::vector<std::string>& synopsis_classifiers() {
  static const std::vector<std::string> names{"histogram", "nb", "svm", "tree"};
  return names;
}

Result<Outcome> learn_from_synopsis(const Synopsis& synopsis, std::span<const std::uint64_t> rows,
                                    const Trial& trial, double spent) {
  const Schema& schema = trial.table.schema();
  PRIVPFC_ASSIGN(const FeatureSpace space, make_feature_space(schema, grid_views(synopsis)));
  const Dataset test = trial.table.dataset(space, trial.split.test);
  Outcome outcome;
  {
    const Stopwatch watch;
    const auto labels = histogram_labels(synopsis, schema, space, test.rows);
    outcome.errors.push_back(error_share(labels, test.labels));
    outcome.seconds.push_back(spent + watch.seconds());
  }
  const Dataset cells = weighted_cells(synopsis, rows, schema, space);
  // No synthetic row at all (a small table, a small epsilon): every learner says what the noisy
  // class counts say.
  const bool is_empty = cells.count() == 0;
  for (std::size_t i = 1; i < synopsis_classifiers().size(); ++i) {
    const Stopwatch watch;
    if (is_empty) {
      outcome.errors.push_back(outcome.errors[0]);
    } else {
      PRIVPFC_ASSIGN(
          const std::unique_ptr<Model> model,
          train(*model_kind(synopsis_classifiers()[i]), space, cells, experiment_options()));
      const Predictions predictions = predict_rows(*model, test.rows, schema.class_count(), 1);
      outcome.errors.push_back(error_share(predictions.labels, test.labels));
    }
    outcome.seconds.push_back(spent + watch.seconds());
  }
  return outcome;
}

}  // namespace privpfc
