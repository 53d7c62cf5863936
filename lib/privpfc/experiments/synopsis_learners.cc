#include "privpfc/experiments/synopsis_learners.h"

#include "privpfc/classifiers/train.h"
#include "privpfc/experiments/cell_learning.h"

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
                                    const Trial& trial, PartClock& clock, double spent) {
  const Schema& schema = trial.table.schema();
  PRIVPFC_ASSIGN(const FeatureSpace space, make_feature_space(schema, grid_views(synopsis)));
  clock.begin("test rows at the grid's levels");
  const Dataset test = trial.table.dataset(space, trial.split.test);
  Outcome outcome;
  // The histogram has nothing to learn: the counts are the classifier.
  clock.begin("testing histogram");
  const auto labels = histogram_labels(synopsis, schema, space, test.rows);
  outcome.errors.push_back(error_share(labels, test.labels));
  outcome.seconds.push_back(spent);
  clock.begin("synthetic rows");
  const Dataset cells = weighted_cells(synopsis, rows, schema, space);
  spent += clock.end();
  // No synthetic row at all (a small table, a small epsilon): every learner says what the noisy
  // class counts say.
  const bool is_empty = cells.count() == 0;
  for (std::size_t i = 1; i < synopsis_classifiers().size(); ++i) {
    const std::string& name = synopsis_classifiers()[i];
    if (is_empty) {
      outcome.errors.push_back(outcome.errors[0]);
      outcome.seconds.push_back(spent);
      continue;
    }
    clock.begin("training " + name);
    PRIVPFC_ASSIGN(const std::unique_ptr<Model> model,
                   train(*model_kind(name), space, cells, experiment_options()));
    outcome.seconds.push_back(spent + clock.end());
    clock.begin("testing " + name);
    const Predictions predictions = predict_rows(*model, test.rows, schema.class_count(), 1);
    outcome.errors.push_back(error_share(predictions.labels, test.labels));
  }
  outcome.parts = clock.take();
  return outcome;
}

}  // namespace privpfc
