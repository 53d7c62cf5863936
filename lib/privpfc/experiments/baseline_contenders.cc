#include <algorithm>

#include "privpfc/classifiers/train.h"
#include "privpfc/experiments/cell_learning.h"
#include "privpfc/experiments/contender_families.h"

namespace privpfc {
namespace {

// Above so many different rows a kernel takes minutes for each split, and the linear machine stands
// for the SVM.
constexpr std::size_t kMostKernelPoints = 5'000;

class BaselineContender final : public Contender {
 public:
  BaselineContender(std::string name, std::vector<std::string> classifiers, std::string summary)
      : name_(std::move(name)),
        classifiers_(std::move(classifiers)),
        summary_(std::move(summary)) {}

  MethodCard card() const override {
    MethodCard card;
    card.name = name_;
    card.classifiers = classifiers_;
    card.kind = "baseline";
    card.guarantee = "none: trained on the rows as they are";
    card.summary = summary_;
    card.source = "docs/models.md";
    card.uses_epsilon = false;
    return card;
  }

  Result<std::vector<Outcome>> run(const Trial& trial) const override {
    const Schema& schema = trial.table.schema();
    PRIVPFC_ASSIGN(const FeatureSpace space, make_feature_space(schema, plain_views(schema)));
    PartClock clock;
    clock.begin("rows of the split");
    const Dataset rows = merge_equal_rows(trial.table.dataset(space, trial.split.train));
    const Dataset test = trial.table.dataset(space, trial.split.test);
    Outcome outcome;
    for (const std::string& name : classifiers_) {
      clock.begin("training " + name);
      TrainOptions options;
      options.svm.probability_folds = options.linear_svm.probability_folds = 0;
      options.set_threads(1);
      ModelKind kind = *model_kind(name);
      if (kind == ModelKind::kSvm && rows.count() > kMostKernelPoints) kind = ModelKind::kLinearSvm;
      PRIVPFC_ASSIGN(const std::unique_ptr<Model> model, train_merged(kind, space, rows, options));
      outcome.seconds.push_back(clock.end());
      clock.begin("testing " + name);
      const Predictions predictions = predict_rows(*model, test.rows, schema.class_count(), 1);
      outcome.errors.push_back(error_share(predictions.labels, test.labels));
    }
    outcome.parts = clock.take();
    return std::vector<Outcome>(trial.seeds.size(), outcome);
  }

 private:
  std::string name_;
  std::vector<std::string> classifiers_;
  std::string summary_;
};

}  // namespace

void add_baseline_contenders(Contenders& all) {
  all.push_back(std::make_unique<BaselineContender>(
      "majority", std::vector<std::string>{"majority"},
      "always the most frequent class: what anything useful must beat"));
  all.push_back(std::make_unique<BaselineContender>(
      "noise-free", std::vector<std::string>{"nb", "svm", "tree", "logistic"},
      "the learners on the rows themselves: what privacy costs is the distance to this (svm: the "
      "linear machine above 5,000 different rows)"));
}

}  // namespace privpfc
