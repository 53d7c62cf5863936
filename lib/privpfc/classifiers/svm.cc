#include "privpfc/classifiers/svm.h"

#include <algorithm>
#include <cmath>

#include "privpfc/classifiers/pairwise_json.h"
#include "privpfc/classifiers/pairwise_training.h"

namespace privpfc {

namespace {

// The decision of one pair of classes: a weighted sum of kernel values, plus the bias.
struct KernelMachine {
  std::vector<std::size_t> points;
  std::vector<double> coefficients;
  double bias = 0;
  bool converged = true;

  template <typename KernelValue>
  double decide(const KernelValue& kernel_value) const {
    double sum = 0;
    for (std::size_t k = 0; k < points.size(); ++k)
      sum += coefficients[k] * kernel_value(points[k]);
    return sum + bias;
  }
};

using KernelPairs = std::vector<TrainedPair<KernelMachine>>;

class Svm final : public Model {
 public:
  Svm(InputMap map, const KernelFunction& kernel, InputVectors support, KernelPairs pairs,
      std::size_t classes)
      : map_(std::move(map)),
        support_(std::move(support)),
        kernel_points_(support_, kernel),
        pairs_(std::move(pairs)),
        classes_(classes) {}

  ModelKind kind() const override { return ModelKind::kSvm; }

  bool converged() const override {
    return std::all_of(pairs_.begin(), pairs_.end(),
                       [](const auto& pair) { return pair.machine.converged; });
  }

  void predict(const Rows& rows, std::size_t begin, std::size_t end,
               Predictions& out) const override {
    const InputVectors points = map_.map(rows, begin, end);
    std::vector<double> values(support_.count);
    std::vector<double> decisions(pairs_.size());
    std::vector<double> pair_probabilities(pairs_.size());
    for (std::size_t i = begin; i < end; ++i) {
      const double squared = dot(points, i - begin, points, i - begin);
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = kernel_points_.value(points, i - begin, squared, k);
      }
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        decisions[p] = pairs_[p].machine.decide([&](std::size_t k) { return values[k]; });
        pair_probabilities[p] = pairs_[p].sigmoid(decisions[p]);
      }
      out.labels[i] = vote(decisions, classes_);
      couple(pair_probabilities, {out.row(i), classes_});
    }
  }

  std::string parameters() const override {
    const KernelFunction& kernel = kernel_points_.kernel();
    Json kernel_json = {{"kind", kNames[static_cast<std::size_t>(kernel.kind)]}};
    if (kernel.kind != KernelFunction::Kind::kLinear) kernel_json["gamma"] = kernel.gamma;
    if (kernel.kind == KernelFunction::Kind::kPolynomial) {
      kernel_json["offset"] = kernel.offset;
      kernel_json["degree"] = kernel.degree;
    }
    Json points = Json::array();
    for (std::size_t i = 0; i < support_.count; ++i) {
      Json codes = Json::array();
      for (std::size_t k = 0; k < support_.category_width; ++k) {
        const std::uint32_t one = support_.one_row(i)[k];
        codes.push_back(one == InputVectors::kNoOne
                            ? std::size_t{kMissingCode}
                            : static_cast<std::size_t>(one) - map_.categories()[k].offset);
      }
      points.push_back(
          {{"numbers", std::vector<double>(support_.number_row(i),
                                           support_.number_row(i) + support_.number_width)},
           {"codes", std::move(codes)}});
    }
    Json pairs = Json::array();
    for (const auto& pair : pairs_) {
      pairs.push_back({{"points", pair.machine.points},
                       {"coefficients", pair.machine.coefficients},
                       {"bias", pair.machine.bias},
                       {"sigmoid", sigmoid_json(pair.sigmoid)}});
    }
    return Json{{"kernel", std::move(kernel_json)},
                {"scaling", scaling_json(map_)},
                {"points", std::move(points)},
                {"pairs", std::move(pairs)}}
        .dump();
  }

  static constexpr const char* kNames[] = {"linear", "polynomial",
                                           "rbf"};  // by KernelFunction::Kind

 private:
  InputMap map_;
  InputVectors support_;
  KernelPoints kernel_points_;  // of support_
  KernelPairs pairs_;
  std::size_t classes_;
};

Status check(const SvmOptions& options) {
  if (!(options.cost > 0) || !std::isfinite(options.cost)) {
    return make_error(ErrorKind::kUsage, "the cost of an SVM must be above 0");
  }
  if (!(options.gamma >= 0) || !std::isfinite(options.gamma)) {
    return make_error(ErrorKind::kUsage, "gamma must not be negative");
  }
  if (options.degree < 1 || options.degree > 20 || !(std::abs(options.offset) <= 1e6)) {
    return make_error(ErrorKind::kUsage,
                      "the degree must be 1 to 20, the offset at most a million");
  }
  if (!(options.smo.tolerance > 0) || options.probability_folds == 1 ||
      options.probability_folds > 100) {
    return make_error(ErrorKind::kUsage,
                      "the tolerance must be above 0, the number of folds 0 or 2 to 100");
  }
  return {};
}

// InputVectors that any pair needs, once each; the machines then refer to those.
InputVectors keep_support(const InputVectors& points, KernelPairs& pairs) {
  std::vector<std::size_t> kept;
  for (const auto& pair : pairs) {
    kept.insert(kept.end(), pair.machine.points.begin(), pair.machine.points.end());
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (auto& pair : pairs) {
    for (std::size_t& point : pair.machine.points) {
      point = static_cast<std::size_t>(std::lower_bound(kept.begin(), kept.end(), point) -
                                       kept.begin());
    }
  }
  return take_points(points, kept);
}

}  // namespace

Result<std::unique_ptr<Model>> train_svm(const FeatureSpace& space, const Dataset& data,
                                         const SvmOptions& options) {
  PRIVPFC_TRY(check(options));
  InputMap map = InputMap::fit(space, data, options.scaling);
  const InputVectors points = map.map(data.rows, 0, data.count());
  KernelFunction kernel{options.kernel, options.gamma, options.offset, options.degree};
  if (kernel.gamma == 0) {
    const double variance = total_variance(points, map.dimension(), data.weights);
    kernel.gamma = variance > 1e-9 ? 1 / variance : 1;
  }
  const KernelPoints all_kernel_points(points, kernel);
  const auto train = [&](const PairProblem& problem) {
    const InputVectors own = take_points(points, problem.positions);
    std::vector<double> upper = problem.weights;
    for (double& bound : upper) bound *= options.cost;
    const SmoSolution solution =
        solve_smo(KernelPoints(own, kernel), problem.signs, upper, options.smo);
    KernelMachine machine;
    machine.bias = solution.bias;
    machine.converged = solution.converged;
    for (std::size_t i = 0; i < own.count; ++i) {
      if (!(solution.multipliers[i] > 0)) continue;
      machine.points.push_back(problem.positions[i]);
      machine.coefficients.push_back(problem.signs[i] * solution.multipliers[i]);
    }
    return machine;
  };
  const auto decide = [&](const KernelMachine& machine, std::size_t i) {
    return machine.decide([&](std::size_t k) { return all_kernel_points.value(i, k); });
  };
  KernelPairs pairs =
      train_pairs(data.labels, data.weights, space.class_count(),
                  {options.probability_folds, options.seed, options.threads}, train, decide);
  InputVectors support = keep_support(points, pairs);
  return std::unique_ptr<Model>(std::make_unique<Svm>(std::move(map), kernel, std::move(support),
                                                      std::move(pairs), space.class_count()));
}

namespace {

Result<KernelFunction> read_kernel(const Json& json) {
  PRIVPFC_ASSIGN(const Json* entry, json_member(json, "kernel"));
  PRIVPFC_ASSIGN(const std::string name, json_text(*entry, "kind"));
  KernelFunction kernel;
  const auto* found = std::find(std::begin(Svm::kNames), std::end(Svm::kNames), name);
  if (found == std::end(Svm::kNames)) return bad_model("no such kernel");
  kernel.kind = static_cast<KernelFunction::Kind>(found - std::begin(Svm::kNames));
  if (kernel.kind != KernelFunction::Kind::kLinear) {
    PRIVPFC_ASSIGN(kernel.gamma, json_number_in(*entry, "gamma", 0, 1e12));
  }
  if (kernel.kind == KernelFunction::Kind::kPolynomial) {
    PRIVPFC_ASSIGN(kernel.offset, json_number_in(*entry, "offset", -1e6, 1e6));
    PRIVPFC_ASSIGN(const std::size_t degree, json_index(*entry, "degree", 21));
    kernel.degree = static_cast<int>(degree);
  }
  return kernel;
}

Result<InputVectors> read_points(const InputMap& map, const Json& json) {
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "points", 0, 100'000'000));
  InputVectors points;
  points.count = list->size();
  points.number_width = map.numbers().size();
  points.category_width = map.categories().size();
  for (const Json& entry : *list) {
    PRIVPFC_ASSIGN(const std::vector<double> numbers,
                   json_numbers(entry, "numbers", points.number_width));
    points.numbers.insert(points.numbers.end(), numbers.begin(), numbers.end());
    PRIVPFC_ASSIGN(const Json* codes,
                   json_list(entry, "codes", points.category_width, points.category_width));
    for (std::size_t k = 0; k < codes->size(); ++k) {
      const Json& code = (*codes)[k];
      const InputMap::Category& category = map.categories()[k];
      if (!code.is_number_unsigned()) return bad_model("a code is not a whole number");
      const auto value = code.get<std::uint64_t>();
      if (value >= category.size && value != kMissingCode) return bad_model("no such category");
      points.ones.push_back(value == kMissingCode
                                ? InputVectors::kNoOne
                                : static_cast<std::uint32_t>(category.offset + value));
    }
  }
  return points;
}

}  // namespace

Result<std::unique_ptr<Model>> read_svm(const FeatureSpace& space, std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  PRIVPFC_ASSIGN(const KernelFunction kernel, read_kernel(json));
  PRIVPFC_ASSIGN(InputMap map, read_scaling(space, json));
  PRIVPFC_ASSIGN(InputVectors support, read_points(map, json));
  const std::size_t pair_total = pair_count(space.class_count());
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "pairs", pair_total, pair_total));
  KernelPairs pairs;
  for (const Json& entry : *list) {
    auto& [machine, sigmoid] = pairs.emplace_back();
    PRIVPFC_ASSIGN(const Json* points, json_list(entry, "points", 0, support.count));
    for (const Json& point : *points) {
      if (!point.is_number_unsigned() || point.get<std::uint64_t>() >= support.count) {
        return bad_model("a pair refers to a point that is not there");
      }
      machine.points.push_back(static_cast<std::size_t>(point.get<std::uint64_t>()));
    }
    PRIVPFC_ASSIGN(machine.coefficients, json_numbers(entry, "coefficients", points->size()));
    PRIVPFC_ASSIGN(machine.bias, json_number(entry, "bias"));
    PRIVPFC_ASSIGN(sigmoid, read_sigmoid(entry));
  }
  return std::unique_ptr<Model>(std::make_unique<Svm>(std::move(map), kernel, std::move(support),
                                                      std::move(pairs), space.class_count()));
}

}  // namespace privpfc
