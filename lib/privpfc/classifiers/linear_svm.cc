#include "privpfc/classifiers/linear_svm.h"

#include <algorithm>
#include <cmath>

#include "privpfc/classifiers/interior_point.h"
#include "privpfc/classifiers/pairwise_json.h"
#include "privpfc/classifiers/pairwise_training.h"

namespace privpfc {

namespace {

using LinearPairs = std::vector<TrainedPair<LinearMachine>>;

class LinearSvm final : public Model {
 public:
  LinearSvm(InputMap map, LinearPairs pairs, std::size_t classes)
      : map_(std::move(map)), pairs_(std::move(pairs)), classes_(classes) {}

  ModelKind kind() const override { return ModelKind::kLinearSvm; }

  bool converged() const override {
    return std::all_of(pairs_.begin(), pairs_.end(),
                       [](const auto& pair) { return pair.machine.converged; });
  }

  void predict(const Rows& rows, std::size_t begin, std::size_t end,
               Predictions& out) const override {
    const InputVectors points = map_.map(rows, begin, end);
    std::vector<double> decisions(pairs_.size());
    std::vector<double> pair_probabilities(pairs_.size());
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const std::vector<double>& weights = pairs_[p].machine.weights;
        decisions[p] = dot(points, i - begin, weights.data()) + weights.back();
        pair_probabilities[p] = pairs_[p].sigmoid(decisions[p]);
      }
      out.labels[i] = vote(decisions, classes_);
      couple(pair_probabilities, {out.row(i), classes_});
    }
  }

  std::string parameters() const override {
    Json pairs = Json::array();
    for (const auto& pair : pairs_) {
      pairs.push_back({{"weights", pair.machine.weights}, {"sigmoid", sigmoid_json(pair.sigmoid)}});
    }
    return Json{{"scaling", scaling_json(map_)}, {"pairs", std::move(pairs)}}.dump();
  }

 private:
  InputMap map_;
  LinearPairs pairs_;
  std::size_t classes_;
};

}  // namespace

Result<std::unique_ptr<Model>> train_linear_svm(const FeatureSpace& space, const Dataset& data,
                                                const LinearSvmOptions& options) {
  if (!(options.cost > 0) || !std::isfinite(options.cost)) {
    return make_error(ErrorKind::kUsage, "the cost of an SVM must be above 0");
  }
  if (!(options.tolerance > 0) || options.probability_folds == 1 ||
      options.probability_folds > 100) {
    return make_error(ErrorKind::kUsage,
                      "the tolerance must be above 0, the number of folds 0 or 2 to 100");
  }
  InputMap map = InputMap::fit(space, data, options.scaling);
  const InputVectors points = map.map(data.rows, 0, data.count());
  const auto train = [&](const PairProblem& problem) {
    std::vector<double> upper = problem.weights;
    for (double& bound : upper) bound *= options.cost;
    const InputVectors taken = take_points(points, problem.positions);
    LinearMachine machine =
        map.dimension() <= options.most_dimensions
            ? solve_interior_point(taken, map.dimension(), problem.signs, upper)
            : solve_dual_coordinate_descent(taken, map.dimension(), problem.signs, upper, options);
    machine.multipliers = {};
    return machine;
  };
  const auto decide = [&](const LinearMachine& machine, std::size_t i) {
    return dot(points, i, machine.weights.data()) + machine.weights.back();
  };
  LinearPairs pairs =
      train_pairs(data.labels, data.weights, space.class_count(),
                  {options.probability_folds, options.seed, options.threads}, train, decide);
  return std::unique_ptr<Model>(
      std::make_unique<LinearSvm>(std::move(map), std::move(pairs), space.class_count()));
}

std::unique_ptr<Model> make_linear_svm(const FeatureSpace& space,
                                       const std::vector<std::vector<double>>& weights) {
  InputMap map(space, {});
  require(weights.size() == space.class_count(), "one vector of weights per class");
  // Of a pair, the class with the larger decision wins; who wins all pairs has the largest of all.
  LinearPairs pairs;
  for (std::size_t a = 0; a < weights.size(); ++a) {
    require(weights[a].size() == map.dimension() + 1, "one weight per category, and the bias");
    for (std::size_t b = a + 1; b < weights.size(); ++b) {
      std::vector<double>& difference = pairs.emplace_back().machine.weights;
      for (std::size_t k = 0; k < weights[a].size(); ++k) {
        difference.push_back(weights[a][k] - weights[b].at(k));
      }
    }
  }
  return std::make_unique<LinearSvm>(std::move(map), std::move(pairs), space.class_count());
}

Result<std::unique_ptr<Model>> read_linear_svm(const FeatureSpace& space,
                                               std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  PRIVPFC_ASSIGN(InputMap map, read_scaling(space, json));
  const std::size_t pair_total = pair_count(space.class_count());
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "pairs", pair_total, pair_total));
  LinearPairs pairs;
  for (const Json& entry : *list) {
    auto& [machine, sigmoid] = pairs.emplace_back();
    PRIVPFC_ASSIGN(machine.weights, json_numbers(entry, "weights", map.dimension() + 1));
    PRIVPFC_ASSIGN(sigmoid, read_sigmoid(entry));
  }
  return std::unique_ptr<Model>(
      std::make_unique<LinearSvm>(std::move(map), std::move(pairs), space.class_count()));
}

}  // namespace privpfc
