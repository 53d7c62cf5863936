#include "privpfc/as_published/method.h"
#include "privpfc/as_published/privpfc.h"
#include "privpfc/experiments/cell_learning.h"
#include "privpfc/experiments/contender_families.h"
#include "privpfc/experiments/synopsis_learners.h"

namespace privpfc {
namespace {

double as_number(Epsilon epsilon) {
  return static_cast<double>(epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
}

// PrivPfC as published, or with some steps free of noise.
class PublishedPrivPfcContender final : public Contender {
 public:
  PublishedPrivPfcContender(std::string name, std::string guarantee, std::string summary,
                            PublishedPrivPfc::NoiseFree noise_free)
      : name_(std::move(name)), guarantee_(std::move(guarantee)), summary_(std::move(summary)) {
    options_.noise_free = noise_free;
  }

  MethodCard card() const override {
    MethodCard card;
    card.name = name_;
    card.classifiers = synopsis_classifiers();
    card.kind = "publishes";
    card.guarantee = guarantee_;
    card.summary = summary_;
    card.source = "Su, Cao, Li: PrivPfC (2016)";
    card.experiments_only = true;
    return card;
  }

  Result<std::vector<Outcome>> run(const Trial& trial) const override {
    PartClock clock;
    clock.begin("training rows of the split");
    const EncodedTable rows = trial.table.encoded(trial.split.train);
    clock.end();
    std::vector<Outcome> outcomes;
    for (const std::uint64_t seed : trial.seeds) {
      const Stopwatch watch;
      clock.begin("publishing");
      const Synopsis synopsis = publish_as_published(rows, trial.table.schema(),
                                                     as_number(*trial.epsilon), options_, seed);
      const std::vector<std::uint64_t> counts(synopsis.cell_counts.begin(),
                                              synopsis.cell_counts.end());
      clock.end();
      PRIVPFC_ASSIGN(Outcome outcome,
                     learn_from_synopsis(synopsis, counts, trial, clock, watch.seconds()));
      outcomes.push_back(std::move(outcome));
    }
    return outcomes;
  }

 private:
  std::string name_;
  std::string guarantee_;
  std::string summary_;
  PublishedPrivPfc options_;
};

class PublishedContender final : public Contender {
 public:
  explicit PublishedContender(std::unique_ptr<PublishedMethod> method)
      : method_(std::move(method)) {}

  MethodCard card() const override {
    MethodCard card;
    card.name = method_->name();
    card.classifiers = {model_name(method_->model())};
    card.kind = "trains";
    card.guarantee = method_->reality();
    card.summary = method_->summary();
    card.source = method_->source();
    card.experiments_only = true;
    return card;
  }

  Result<std::vector<Outcome>> run(const Trial& trial) const override {
    const Schema& schema = trial.table.schema();
    const double epsilon = as_number(*trial.epsilon);
    PRIVPFC_ASSIGN(const FeatureSpace space,
                   make_feature_space(schema, method_->views(schema, epsilon)));
    PartClock clock;
    clock.begin("rows of the split");
    const Dataset rows = trial.table.dataset(space, trial.split.train);
    const Dataset test = trial.table.dataset(space, trial.split.test);
    std::vector<Outcome> outcomes;
    for (const std::uint64_t seed : trial.seeds) {
      clock.begin("training");
      PRIVPFC_ASSIGN(const std::unique_ptr<Model> model,
                     method_->train(rows, schema, space, epsilon, seed));
      const double seconds = clock.end();
      clock.begin("testing");
      const Predictions predictions = predict_rows(*model, test.rows, schema.class_count(), 1);
      outcomes.push_back({{error_share(predictions.labels, test.labels)}, {seconds}, clock.take()});
    }
    return outcomes;
  }

 private:
  std::unique_ptr<PublishedMethod> method_;
};

}  // namespace

void add_published_contenders(Contenders& all) {
  using NoiseFree = PublishedPrivPfc::NoiseFree;
  all.push_back(std::make_unique<PublishedPrivPfcContender>(
      "privpfc-as-published",
      "NOT as claimed: up to 1.3 epsilon with feature selection; the number of rows and the bits "
      "of the noise are not protected",
      "PrivPfC as its paper has it", NoiseFree::kNothing));
  all.push_back(std::make_unique<PublishedPrivPfcContender>(
      "privpfc-fsnf-as-published", "NOT PRIVATE: features are selected without noise",
      "PrivPfC with noise-free feature selection, an ablation", NoiseFree::kFeatures));
  all.push_back(std::make_unique<PublishedPrivPfcContender>(
      "privpfc-selnf-as-published", "NOT PRIVATE: features and grid are selected without noise",
      "PrivPfC with noise-free feature and grid selection, an ablation",
      NoiseFree::kFeaturesAndSelection));
  for (std::unique_ptr<PublishedMethod>& method : published_methods()) {
    all.push_back(std::make_unique<PublishedContender>(std::move(method)));
  }
}

}  // namespace privpfc
