#include "privpfc/evaluation/release_models.h"

#include "privpfc/classifiers/folds.h"
#include "privpfc/evaluation/released_histogram.h"

namespace privpfc {
namespace {

// "10000" as "10,000".
std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

void add_note(std::string& note, std::string_view text) {
  if (!note.empty()) note += "; ";
  note += text;
}

}  // namespace

const FeatureSpace& ReleaseSpaces::operator[](ReleaseView view) const {
  return view == ReleaseView::kAsReleased ? as_released
         : view == ReleaseView::kGroups   ? groups
                                          : grid;
}

Result<ReleaseSpaces> make_release_spaces(const Release& release) {
  const auto space = [&](ReleaseView view) {
    return make_feature_space(release.schema, release_views(release, view));
  };
  ReleaseSpaces spaces;
  PRIVPFC_ASSIGN(spaces.as_released, space(ReleaseView::kAsReleased));
  PRIVPFC_ASSIGN(spaces.groups, space(ReleaseView::kGroups));
  PRIVPFC_ASSIGN(spaces.grid, space(ReleaseView::kGrid));
  return spaces;
}

Result<Trained> train_within_reason(ModelKind kind, const FeatureSpace& space,
                                    const Dataset& merged, const TrainOptions& options) {
  Trained trained;
  if (kind == ModelKind::kSvm && merged.count() > kMostSvmRows) {
    std::vector<std::size_t> sample = seeded_order(merged.count(), options.svm.seed);
    sample.resize(kMostSvmRows);
    add_note(trained.note, fmt::format("trained on {} of {} distinct rows", grouped(kMostSvmRows),
                                       grouped(merged.count())));
    PRIVPFC_ASSIGN(trained.model,
                   train_merged(kind, space, merge_equal_rows(take_rows(merged, sample)), options));
  } else {
    PRIVPFC_ASSIGN(trained.model, train_merged(kind, space, merged, options));
  }
  if (!trained.model->converged()) add_note(trained.note, "stopped before it had converged");
  return trained;
}

Result<ReleaseModels> train_on_release(const Release& release, const ReleaseSpaces& spaces,
                                       const TrainOptions& options, unsigned threads,
                                       const TrainingProgress& progress) {
  PRIVPFC_ASSIGN(const Dataset rows, read_released_rows(release, spaces.as_released, threads));
  PRIVPFC_TRY(check_dataset(rows, spaces.as_released));
  const Dataset merged = merge_equal_rows(rows);
  if (merged.count() == 0) {
    return make_error(ErrorKind::kData, "the release has no synthetic rows to train on");
  }
  ReleaseModels models;
  for (const ModelKind kind : kReportedKinds) {
    progress(model_name(kind));
    ReleaseModel& one = models.classifiers.emplace_back();
    one.name = model_name(kind);
    Trained trained;
    if (kind == ModelKind::kSvm && merged.count() > kMostSvmRows) {
      // Drawn numbers make nearly every row distinct; their groups are what was released.
      one.view = ReleaseView::kGroups;
      PRIVPFC_ASSIGN(const Dataset groups, read_released_rows(release, spaces.groups, threads));
      PRIVPFC_ASSIGN(trained,
                     train_within_reason(kind, spaces.groups, merge_equal_rows(groups), options));
      std::string note = "sees numbers as the release's groups";
      if (!trained.note.empty()) note += "; " + trained.note;
      trained.note = std::move(note);
    } else {
      PRIVPFC_ASSIGN(trained, train_within_reason(kind, spaces.as_released, merged, options));
    }
    one.model = std::move(trained.model);
    one.note = std::move(trained.note);
  }
  models.classifiers.push_back({model_name(ModelKind::kHistogram), ReleaseView::kGrid,
                                released_histogram(release, spaces.grid), ""});
  models.majority.name = model_name(ModelKind::kMajority);
  PRIVPFC_ASSIGN(models.majority.model,
                 train_merged(ModelKind::kMajority, spaces.as_released, merged, options));
  const std::vector<double> weights = class_weights(merged, spaces.as_released.class_count());
  models.majority_class = largest_class(weights.data(), weights.size());
  return models;
}

}  // namespace privpfc
