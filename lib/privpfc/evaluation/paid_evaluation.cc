#include "privpfc/evaluation/paid_evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "privpfc/pipeline/person_epsilon.h"

namespace privpfc {
namespace {

using Counts = std::vector<std::int64_t>;

// Rows by class; then, for each classifier in turn, right predictions by class.
Counts count_right(const RealRows& rows, const ReleaseModels& models, const std::size_t& classes) {
  Counts counts(classes, 0);
  for (const std::uint8_t label : rows.grid.labels) ++counts[label];
  for (const ReleaseModel& one : models.classifiers) {
    const Dataset& seen = rows[one.view];
    const Predictions predictions = predict_rows(*one.model, seen.rows, classes, 1);
    Counts right(classes, 0);
    for (std::size_t i = 0; i < seen.labels.size(); ++i) {
      if (predictions.labels[i] == seen.labels[i]) ++right[seen.labels[i]];
    }
    counts.insert(counts.end(), right.begin(), right.end());
  }
  return counts;
}

// What is known before any held-out row was read, and goes into the result.
struct Setting {
  struct Name {
    std::string name;
    std::string note;
  };
  std::vector<Name> classifiers;
  std::uint8_t majority = 0;
  std::size_t classes = 0;
  Epsilon epsilon;
  Epsilon row_epsilon;
  std::uint64_t sensitivity = 0;
};

// right / rows, where both are noisy counts of `terms` cells each, the variance per cell being v.
// The first-order variance of the share s is terms v (1 + s^2) / rows^2.
PaidShare share_of(double right, double rows, std::size_t terms, double v) {
  PaidShare share;
  rows = std::max(1.0, rows);
  share.value = std::clamp(right / rows, 0.0, 1.0);
  const double noise =
      std::sqrt(static_cast<double>(terms) * v * (1 + share.value * share.value)) / rows;
  share.interval = wilson_interval(share.value, rows, noise);
  return share;
}

double sum(const Counts& counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
}

PaidClassifier judge(const Setting::Name& name, Counts right, const Counts& rows, double v) {
  // Below this a class cannot be told from the noise.
  const double least = 4 * std::sqrt(v);
  PaidClassifier result{name.name, name.note, std::move(right), {}, {}};
  const PaidShare accuracy = share_of(sum(result.right), sum(rows), rows.size(), v);
  result.error = {1 - accuracy.value, {1 - accuracy.interval.high, 1 - accuracy.interval.low}};
  for (std::size_t c = 0; c < rows.size(); ++c) {
    result.recalls.emplace_back();
    const auto rows_of_class = static_cast<double>(rows[c]);
    if (rows_of_class < least) continue;
    result.recalls[c] = share_of(static_cast<double>(result.right[c]), rows_of_class, 1, v);
  }
  return result;
}

PaidEvaluation conclude(const Counts& noisy, const Setting& setting) {
  const double scale = static_cast<double>(setting.row_epsilon.units()) /
                       static_cast<double>(Epsilon::kUnitsPerOne) /
                       static_cast<double>(setting.sensitivity);
  const double alpha = std::exp(-scale);
  const double gap = -std::expm1(-scale);  // 1 - alpha
  const double v = 2 * alpha / (gap * gap);
  const auto block = [&](std::size_t i) {
    const auto begin = noisy.begin() + static_cast<std::ptrdiff_t>(i * setting.classes);
    return Counts(begin, begin + static_cast<std::ptrdiff_t>(setting.classes));
  };
  PaidEvaluation result{setting.epsilon, setting.row_epsilon, std::sqrt(v), block(0), {}, {},
                        setting.majority};
  for (std::size_t i = 0; i < setting.classifiers.size(); ++i) {
    result.on_release.push_back(judge(setting.classifiers[i], block(i + 1), result.class_rows, v));
  }
  Counts always(setting.classes, 0);
  always[setting.majority] = result.class_rows[setting.majority];
  result.majority = judge({"majority", ""}, std::move(always), result.class_rows, v);
  return result;
}

}  // namespace

Released<PaidEvaluation> pay_for_evaluation(const Private<RealRows>& rows,
                                            const ReleaseModels& models, const Schema& schema,
                                            Mechanisms& mechanisms, Budget budget) {
  Setting setting;
  for (const ReleaseModel& one : models.classifiers) {
    setting.classifiers.push_back({one.name, one.note});
  }
  setting.majority = models.majority_class;
  const std::size_t classes = schema.class_count();
  setting.classes = classes;
  setting.epsilon = budget.epsilon();
  Budget of_rows = budget_for_rows(std::move(budget), schema);
  setting.row_epsilon = of_rows.epsilon();
  setting.sensitivity = models.classifiers.size() + 1;
  const Released<Counts> noisy = mechanisms.noisy_counts(
      transform(count_right, rows, models, classes), setting.sensitivity * classes,
      L1Sensitivity(setting.sensitivity), std::move(of_rows));
  return post_process(conclude, noisy, as_public(setting));
}

}  // namespace privpfc
