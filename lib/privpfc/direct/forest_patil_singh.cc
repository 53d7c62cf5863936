#include <utility>

#include "privpfc/direct/tree_greedy_forest.h"
#include "privpfc/direct/tree_methods.h"

namespace privpfc {

namespace {

// A random forest of greedy trees. No bootstrap: a row that is drawn several times would count
// several times, and a row that is drawn once costs what it costs without drawing.
class PatilSingh final : public TreeMethod {
 public:
  explicit PatilSingh(const TreeDirectOptions& options)
      : TreeMethod({"forest-patil-singh",
                    "greedy trees on random halves of the features; they share the budget",
                    "A. Patil, S. Singh, Differential private random forest, 2014"},
                   ModelKind::kForest, options) {}

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    return train_greedy_forest(rows, kForest, options(), setting, mechanisms, std::move(budget));
  }

 protected:
  std::size_t most_trees_by_rule(const DirectSetting&) const override { return kForest.most_trees; }

 private:
  static constexpr GreedyForest kForest{
      3, 20, 5, SplitScore::kGini, Diversity::kFeatureSubsets, Pruning::kNone};
};

}  // namespace

std::unique_ptr<DirectMethod> make_forest_patil_singh(const TreeDirectOptions& options) {
  return std::make_unique<PatilSingh>(options);
}

}  // namespace privpfc
