#include <utility>

#include "privpfc/direct/tree_greedy_forest.h"
#include "privpfc/direct/tree_methods.h"

namespace privpfc {

namespace {

// A few greedy trees by the Gini impurity summed over rows. Published with the sensitivity of the
// averaged impurity at the node's own size, which is not private; the sum behaves alike (a row
// weighs less in a large node) and is.
class FletcherIslam2015a final : public TreeMethod {
 public:
  explicit FletcherIslam2015a(const TreeDirectOptions& options)
      : TreeMethod({"forest-fletcher-islam-2015a",
                    "up to four greedy trees with different roots, by the Gini impurity",
                    "S. Fletcher, M. Z. Islam, A differentially private decision forest, 2015"},
                   ModelKind::kForest, options) {}

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    return train_greedy_forest(rows, kForest, options(), setting, mechanisms, std::move(budget));
  }

 protected:
  std::size_t most_trees_by_rule(const DirectSetting&) const override { return kForest.most_trees; }

 private:
  static constexpr GreedyForest kForest{
      2, 4, 6, SplitScore::kGini, Diversity::kDistinctRoots, Pruning::kPrice};
};

}  // namespace

std::unique_ptr<DirectMethod> make_forest_fletcher_islam_2015a(const TreeDirectOptions& options) {
  return std::make_unique<FletcherIslam2015a>(options);
}

}  // namespace privpfc
