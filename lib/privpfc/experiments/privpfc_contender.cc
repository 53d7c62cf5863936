#include "privpfc/experiments/contender_families.h"
#include "privpfc/experiments/experiment_bits.h"
#include "privpfc/experiments/experiment_budget.h"
#include "privpfc/experiments/synopsis_learners.h"
#include "privpfc/pipeline/publish.h"
#include "privpfc/pipeline/synthetic_counts.h"
#include "privpfc/privacy/kernel.h"

namespace privpfc {
namespace {

// Noisy numbers of rows differ by a few per cent between repeats, and so do the pools.
constexpr double kAhead = 1.1;

class PrivPfcContender final : public Contender {
 public:
  MethodCard card() const override {
    MethodCard card;
    card.name = "privpfc";
    card.classifiers = synopsis_classifiers();
    card.kind = "publishes";
    card.promise = Promise::kPure;
    card.guarantee = "pure epsilon under adding or removing one row";
    card.summary = "one grid by expected misclassification, its noisy histogram, synthetic rows";
    card.source = "Su, Cao, Li: PrivPfC (2016), with the corrections of this project";
    return card;
  }

  Result<std::vector<Outcome>> run(const Trial& trial) const override {
    const PublishOptions options;
    PRIVPFC_TRY(check_publish_options(options, *trial.epsilon));
    PartClock clock;
    clock.begin("training rows of the split");
    const Private<EncodedTable> table(trial.table.encoded(trial.split.train));
    clock.end();
    PublishMemory memory(kAhead);
    std::vector<Outcome> outcomes;
    for (const std::uint64_t seed : trial.seeds) {
      const Stopwatch watch;
      ExperimentBits bits(seed);
      Kernel kernel(bits);
      const Released<Synopsis> synopsis = publish(
          table, trial.table.schema(), options, kernel, ExperimentBudget::of(*trial.epsilon),
          [&](std::string_view stage) { clock.begin(stage); }, &memory);
      clock.begin("synthetic rows");
      const std::vector<std::uint64_t> rows = synthetic_counts(synopsis.value());
      clock.end();
      PRIVPFC_ASSIGN(Outcome outcome,
                     learn_from_synopsis(synopsis.value(), rows, trial, clock, watch.seconds()));
      outcomes.push_back(std::move(outcome));
    }
    return outcomes;
  }
};

}  // namespace

void add_privpfc_contenders(Contenders& all) {
  all.push_back(std::make_unique<PrivPfcContender>());
}

}  // namespace privpfc
