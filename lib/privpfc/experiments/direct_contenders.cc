#include "privpfc/direct/methods.h"
#include "privpfc/experiments/cell_learning.h"
#include "privpfc/experiments/contender_families.h"
#include "privpfc/experiments/experiment_bits.h"
#include "privpfc/experiments/experiment_budget.h"
#include "privpfc/privacy/kernel.h"

namespace privpfc {
namespace {

class DirectContender final : public Contender {
 public:
  explicit DirectContender(std::unique_ptr<DirectMethod> method) : method_(std::move(method)) {}

  MethodCard card() const override {
    const bool pure = method_->guarantee() == Guarantee::kPure;
    MethodCard card;
    card.name = method_->name();
    card.classifiers = {model_name(method_->model())};
    card.kind = "trains";
    card.promise = pure ? Promise::kPure : Promise::kApproximate;
    card.guarantee = pure ? "pure epsilon under adding or removing one row"
                          : "epsilon and delta (" + method_->delta().to_string() +
                                ") under adding or removing one row";
    card.summary = method_->summary();
    card.source = method_->source();
    return card;
  }

  Result<std::vector<Outcome>> run(const Trial& trial) const override {
    const Schema& schema = trial.table.schema();
    PRIVPFC_ASSIGN(const FeatureSpace space,
                   make_feature_space(schema, method_->views(schema, *trial.epsilon)));
    const DirectSetting setting{schema, space, 1};
    PRIVPFC_TRY(method_->check(setting, *trial.epsilon));
    PartClock clock;
    clock.begin("rows of the split");
    const Private<Dataset> rows(trial.table.dataset(space, trial.split.train));
    const Dataset test = trial.table.dataset(space, trial.split.test);
    std::vector<Outcome> outcomes;
    for (const std::uint64_t seed : trial.seeds) {
      clock.begin("training");
      ExperimentBits bits(seed);
      Kernel kernel(bits);
      const Released<std::unique_ptr<Model>> model = method_->train(
          rows, setting, kernel, ExperimentBudget::of(*trial.epsilon, method_->delta()));
      const double seconds = clock.end();
      clock.begin("testing");
      const Predictions predictions =
          predict_rows(*model.value(), test.rows, schema.class_count(), 1);
      outcomes.push_back({{error_share(predictions.labels, test.labels)}, {seconds}, clock.take()});
    }
    return outcomes;
  }

 private:
  std::unique_ptr<DirectMethod> method_;
};

}  // namespace

void add_direct_contenders(Contenders& all) {
  for (std::unique_ptr<DirectMethod>& method : direct_methods(DirectOptions())) {
    all.push_back(std::make_unique<DirectContender>(std::move(method)));
  }
}

}  // namespace privpfc
