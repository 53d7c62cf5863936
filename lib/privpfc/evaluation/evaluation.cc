#include "privpfc/evaluation/evaluation.h"

#include <algorithm>

namespace privpfc {
namespace {

MeasuredClassifier measured(std::string name, std::string note, const Model& model,
                            const Dataset& rows, std::size_t classes, unsigned threads) {
  const Predictions predictions = predict_rows(model, rows.rows, classes, threads);
  return {std::move(name), std::move(note), measure(predictions, rows.labels, rows.weights)};
}

Status check_real(const Dataset& rows, const char* which) {
  if (rows.count() > 0) return {};
  return make_error(ErrorKind::kData, "there are no {} rows", which);
}

// The synthetic numbers do not tell values outside the domain from missing ones, where a schema
// keeps a leaf for each: for the comparison both are missing.
FeatureSpace comparable_groups(const Release& release, const FeatureSpace& groups) {
  FeatureSpace comparable = groups;
  if (release.manifest.numeric_style != NumericStyle::kDrawn) return comparable;
  for (Feature& feature : comparable.features) {
    const Attribute& attribute = release.schema[feature.view.attribute];
    if (attribute.bins && attribute.has_other_leaf && attribute.has_missing_leaf) {
      feature.category_of_leaf[attribute.other_leaf.value()] = kMissingCode;
    }
  }
  return comparable;
}

Result<std::vector<MeasuredClassifier>> measure_noise_free(
    const Release& release, const ReleaseSpaces& spaces, const EvaluationInputs& inputs,
    const Dataset& test_grid, unsigned threads, const TrainingProgress& progress) {
  const std::size_t classes = release.schema.class_count();
  PRIVPFC_ASSIGN(const FeatureSpace plain,
                 make_feature_space(release.schema, plain_views(release.schema)));
  PRIVPFC_ASSIGN(const Dataset real, read_plain_rows(*inputs.train, release.schema, plain));
  PRIVPFC_ASSIGN(const Dataset test, read_plain_rows(inputs.test, release.schema, plain));
  PRIVPFC_TRY(check_real(real, "training"));
  const Dataset merged = merge_equal_rows(real);
  std::vector<MeasuredClassifier> results;
  for (const ModelKind kind : kReportedKinds) {
    progress(std::string(model_name(kind)) + " without noise");
    PRIVPFC_ASSIGN(Trained trained, train_within_reason(kind, plain, merged, inputs.options));
    results.push_back(measured(model_name(kind), std::move(trained.note), *trained.model, test,
                               classes, threads));
  }
  PRIVPFC_ASSIGN(const Dataset grid, read_plain_rows(*inputs.train, release.schema, spaces.grid));
  PRIVPFC_ASSIGN(const auto histogram,
                 train(ModelKind::kHistogram, spaces.grid, grid, inputs.options));
  results.push_back(measured(model_name(ModelKind::kHistogram), "of the release's grid", *histogram,
                             test_grid, classes, threads));
  return results;
}

}  // namespace

const MeasuredClassifier& Evaluation::best() const {
  return *std::min_element(on_release.begin(), on_release.end(), [](const auto& a, const auto& b) {
    return a.metrics.error < b.metrics.error;
  });
}

const MeasuredClassifier* Evaluation::without_noise(const std::string& name) const {
  const auto found = std::find_if(noise_free.begin(), noise_free.end(),
                                  [&](const auto& one) { return one.name == name; });
  return found == noise_free.end() ? nullptr : &*found;
}

Result<Diagnostic<Evaluation>> evaluate_release(const Release& release, const ReleaseSpaces& spaces,
                                                const ReleaseModels& models,
                                                const EvaluationInputs& inputs, unsigned threads,
                                                const TrainingProgress& progress) {
  const std::size_t classes = release.schema.class_count();
  progress("held-out rows");
  Evaluation result;
  PRIVPFC_ASSIGN(const RealRows test,
                 read_real_rows(inputs.test, release.schema, spaces, &result.unread_test));
  PRIVPFC_TRY(check_real(test.grid, "held-out"));
  result.class_rows = class_weights(test.grid, classes);
  for (const ReleaseModel& one : models.classifiers) {
    result.on_release.push_back(
        measured(one.name, one.note, *one.model, test[one.view], classes, threads));
  }
  result.majority_class = models.majority_class;
  result.majority = measured(models.majority.name, "", *models.majority.model,
                             test[models.majority.view], classes, threads);
  if (inputs.train) {
    PRIVPFC_ASSIGN(result.noise_free,
                   measure_noise_free(release, spaces, inputs, test.grid, threads, progress));
  }
  progress("fidelity");
  const FeatureSpace groups = comparable_groups(release, spaces.groups);
  PRIVPFC_ASSIGN(const Dataset synthetic, read_released_rows(release, groups, threads));
  UnreadValues unread;
  PRIVPFC_ASSIGN(const Dataset real, read_plain_rows(inputs.train ? *inputs.train : inputs.test,
                                                     release.schema, groups, &unread));
  if (inputs.train) result.unread_train = unread;
  result.fidelity = compare_tables(groups, synthetic, real);
  result.fidelity_on_training_rows = inputs.train.has_value();
  return Diagnostic<Evaluation>(std::move(result));
}

}  // namespace privpfc
