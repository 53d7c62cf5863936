#include "privpfc/direct/linear.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "privpfc/direct/linear_points.h"
#include "privpfc/direct/newton.h"

namespace privpfc {

namespace {

using Counts = std::vector<std::int64_t>;
using Weights = std::vector<std::vector<double>>;

constexpr const char* kChaudhuri =
    "Chaudhuri, Monteleoni, Sarwate: Differentially private empirical risk minimization (2011)";

// What tells one method from another.
struct Form {
  std::string_view name;
  std::string_view summary;
  ModelKind model;
  Perturb perturb;
  bool logistic;
};

constexpr Form kForms[] = {
    {"svm-objective", "linear SVM, Huber loss, by objective perturbation", ModelKind::kLinearSvm,
     Perturb::kObjective, false},
    {"svm-output", "linear SVM, Huber loss, by output perturbation", ModelKind::kLinearSvm,
     Perturb::kOutput, false},
    {"svm-objective-rff", "RBF-kernel SVM by random Fourier features and objective perturbation",
     ModelKind::kFourierSvm, Perturb::kObjective, false},
    {"logistic-objective", "logistic regression by objective perturbation", ModelKind::kLogistic,
     Perturb::kObjective, true},
};

// Of a hundred parts of epsilon, those that buy the number of rows of each class (svm: lambda
// follows their sum), and those that buy the choice of attributes where not all are used.
constexpr std::uint64_t kPartsForCounts = 2;
constexpr std::uint64_t kPartsForChoice = 12;
// logistic: below this many rows times epsilon, three fifths of the attributes do better than all.
constexpr double kRowsForAll = 1'500;
// logistic: lambda is this over a model's epsilon (docs/methods/logistic-objective.md).
constexpr double kLogisticLambda = 4;
constexpr double kMostLambda = 1e9;

double as_double(Epsilon epsilon) {
  return static_cast<double>(epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
}

// So many hundredths, rounded down.
Epsilon hundredths(Epsilon epsilon, std::uint64_t parts) {
  return Epsilon::from_units(epsilon.units() / 100 * parts);
}

Counts count_classes(const Dataset& rows, std::size_t classes) {
  Counts counts(classes, 0);
  for (const std::uint8_t label : rows.labels) ++counts[label];
  return counts;
}

double total_rows(const Released<Counts>& class_rows) {
  double sum = 0;
  for (const std::int64_t count : class_rows.value()) sum += static_cast<double>(count);
  return std::max(1.0, sum);
}

// Two classes need one model, which speaks for the second; more need one each.
std::size_t model_count(std::size_t classes) {
  return classes == 2 ? 1 : classes;
}

class LinearMethod final : public DirectMethod {
 public:
  LinearMethod(const Form& form, const LinearDirectOptions& options)
      : form_(form), options_(options) {}

  std::string_view name() const override { return form_.name; }
  std::string_view summary() const override { return form_.summary; }
  std::string_view source() const override { return kChaudhuri; }
  ModelKind model() const override { return form_.model; }

  std::vector<AttributeView> views(const Schema& schema, Epsilon) const override {
    return category_views(schema);
  }

  Status check(const DirectSetting& setting, Epsilon epsilon) const override {
    if (!(options_.huber_width >= 0.001 && options_.huber_width <= 1)) {
      return make_error(ErrorKind::kUsage, "the width of the Huber loss lies between 0.001 and 1");
    }
    if (!(options_.regularisation > 0 && options_.regularisation <= 1)) {
      return make_error(ErrorKind::kUsage, "the regularisation lies between 0 and 1");
    }
    if (options_.fourier.frequencies < 1 || options_.fourier.frequencies > 2'000) {
      return make_error(ErrorKind::kUsage, "random features need 1 to 2,000 frequencies");
    }
    const double gamma = options_.fourier.gamma;
    if (gamma != 0 &&
        !(gamma >= FourierOptions::kLeastGamma && gamma <= FourierOptions::kMostGamma)) {
      return make_error(ErrorKind::kUsage,
                        "the gamma of random features lies between 1e-9 and a million; 0 stands "
                        "for the default");
    }
    if (OneHotShape(setting.space).dimension > 20'000) {
      return make_error(ErrorKind::kLimit,
                        "the attributes have more than 20,000 categories: group them in the "
                        "schema, or leave some out");
    }
    // One part for each model and each attribute, of a model's a hundredth for the rounding: none
    // may be nothing.
    const std::uint64_t parts =
        200 * std::max(model_count(setting.space.class_count()), setting.space.features.size());
    if (epsilon.units() < 100 * parts) {
      return make_error(ErrorKind::kUsage, "epsilon is too small to be shared by {} parts", parts);
    }
    const double least =
        least_lambda_for(least_share(setting.space, epsilon), shape(setting.space).dimension);
    if (options_.lambda != 0 && !(options_.lambda >= least && options_.lambda <= kMostLambda)) {
      return make_error(ErrorKind::kUsage,
                        "for this epsilon, lambda lies between {:.6g} and {:.0e}", least,
                        kMostLambda);
    }
    return {};
  }

  Released<std::unique_ptr<Model>> train(const Private<Dataset>& rows, const DirectSetting& setting,
                                         Mechanisms& mechanisms, Budget budget) const override {
    const FeatureSpace& space = setting.space;
    const std::size_t models = model_count(space.class_count());
    const Epsilon epsilon = budget.epsilon();
    std::optional<Released<Counts>> class_rows;
    if (needs_counts(space)) {
      class_rows = mechanisms.noisy_counts(transform(count_classes, rows, space.class_count()),
                                           space.class_count(), L1Sensitivity(1),
                                           budget.take(hundredths(epsilon, kPartsForCounts)));
    }
    const std::vector<std::size_t> used =
        choose_features(rows, space, class_rows, epsilon, mechanisms, budget);
    const FeatureSpace seen = with_features(space, used);
    LinearTask task = shape(seen);
    task.lambda = choose_lambda(task, class_rows, budget.epsilon(), models);
    const Private<LabelledPoints> points =
        form_.model == ModelKind::kFourierSvm
            ? transform([](const Dataset& data,
                           const FourierMap& map) { return fourier_points(data, map); },
                        rows, FourierMap(space, options_.fourier))
            : transform(
                  [](const Dataset& data, const FeatureSpace& known,
                     const std::vector<std::size_t>& positions) {
                    return one_hot_points(with_features(data, positions), known);
                  },
                  rows, seen, used);
    std::vector<Released<std::vector<std::int64_t>>> answers;
    for (Budget& share : std::move(budget).split(std::vector<std::uint64_t>(models, 1))) {
      task.positive = static_cast<std::uint8_t>(models == 1 ? 1 : answers.size());
      answers.push_back(
          form_.perturb == Perturb::kObjective
              ? mechanisms.perturbed_minimum(points, task, minimise_finely, std::move(share))
              : mechanisms.perturbed_output(points, task, minimise_finely, std::move(share)));
    }
    // Post-processing from here on: weights become a model.
    Released<Weights> weights =
        post_process([](const Form&) { return Weights{}; }, as_public(form_));
    for (Released<std::vector<std::int64_t>>& answer : answers) {
      weights = post_process(
          [](Weights&& list, const std::vector<std::int64_t>& units) {
            std::vector<double>& vector = list.emplace_back();
            for (const std::int64_t unit : units) {
              vector.push_back(std::ldexp(static_cast<double>(unit), -kWeightBits));
            }
            return std::move(list);
          },
          std::move(weights), answer);
    }
    return post_process(
        [](Weights&& list, const Form& form, const LinearDirectOptions& options,
           const FeatureSpace& known, const std::vector<std::size_t>& positions) {
          return as_model(std::move(list), form, options, known, positions);
        },
        std::move(weights), as_public(form_), as_public(options_), as_public(space),
        as_public(used));
  }

 private:
  SmoothLoss loss() const {
    return form_.logistic ? SmoothLoss::logistic() : SmoothLoss::huber(options_.huber_width);
  }

  LinearTask shape(const FeatureSpace& space) const {
    LinearTask task;
    task.loss = loss();
    if (form_.model == ModelKind::kFourierSvm) {
      task.dimension = 2 * options_.fourier.frequencies;
      task.reach = std::sqrt(static_cast<double>(task.dimension));
    } else {
      const OneHotShape one_hot(space);
      task.dimension = one_hot.dimension;
      task.reach = one_hot.reach;
    }
    return task;
  }

  bool may_choose(const FeatureSpace& space) const {
    if (form_.model == ModelKind::kFourierSvm || space.features.empty()) return false;
    return options_.attributes == 0 ? form_.logistic : options_.attributes < space.features.size();
  }

  bool needs_counts(const FeatureSpace& space) const {
    return may_choose(space) || (!form_.logistic && options_.lambda == 0);
  }

  // What one model gets at least.
  Epsilon least_share(const FeatureSpace& space, Epsilon epsilon) const {
    const std::uint64_t parts = 100 - (needs_counts(space) ? kPartsForCounts : 0) -
                                (may_choose(space) ? kPartsForChoice : 0);
    return Epsilon::from_units(hundredths(epsilon, parts).units() /
                               model_count(space.class_count()));
  }

  // On the output, what rounding does to the noise must stay below what the kernel lets a minimum
  // be off, lambda 2^-28: with this, a draw for which it does not comes less than once in e^2000.
  double least_lambda_for(Epsilon share, std::size_t dimension) const {
    if (form_.perturb == Perturb::kObjective) return least_lambda(loss(), share);
    return std::max(1.0, (static_cast<double>(dimension) + 100) / (2'000 * as_double(share)));
  }

  // All features, or those that tell most about the label: then the choice is taken out of the
  // budget.
  std::vector<std::size_t> choose_features(const Private<Dataset>& rows, const FeatureSpace& space,
                                           const std::optional<Released<Counts>>& class_rows,
                                           Epsilon epsilon, Mechanisms& mechanisms,
                                           Budget& budget) const {
    const std::size_t count = space.features.size();
    std::size_t wanted = options_.attributes;
    if (may_choose(space) && wanted == 0) {
      wanted =
          as_double(epsilon) * total_rows(*class_rows) < kRowsForAll ? (3 * count + 4) / 5 : count;
    }
    if (!may_choose(space) || wanted >= count) {
      std::vector<std::size_t> all(count);
      std::iota(all.begin(), all.end(), std::size_t{0});
      return all;
    }
    const FeatureScore score(class_rows->value());
    std::vector<std::size_t> chosen =
        mechanisms
            .select_top(transform(feature_scores, rows, space, score), count, wanted,
                        Better::kHigher,
                        ScoreRange(static_cast<std::uint64_t>(score.score_range())),
                        Rule::kPermuteAndFlip, budget.take(hundredths(epsilon, kPartsForChoice)))
            .value();
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  // `left`: what the models share.
  double choose_lambda(const LinearTask& task, const std::optional<Released<Counts>>& class_rows,
                       Epsilon left, std::size_t models) const {
    const Epsilon share = Epsilon::from_units(left.units() / models);
    const double least = least_lambda_for(share, task.dimension);
    if (options_.lambda != 0) return std::max(least, options_.lambda);
    if (form_.logistic) return std::max(least, kLogisticLambda / as_double(share));
    // With less, the noise on the weights would be longer than weights usually are.
    const double enough = form_.perturb == Perturb::kOutput
                              ? std::sqrt(static_cast<double>(task.dimension)) / as_double(share)
                              : least;
    return std::clamp(options_.regularisation * total_rows(*class_rows), std::max(least, enough),
                      kMostLambda);
  }

  static std::unique_ptr<Model> as_model(Weights weights, const Form& form,
                                         const LinearDirectOptions& options,
                                         const FeatureSpace& space,
                                         const std::vector<std::size_t>& used) {
    if (form.model == ModelKind::kFourierSvm) {
      return make_fourier_svm(space, options.fourier, std::move(weights));
    }
    // What is not used weighs nothing.
    for (std::vector<double>& vector : weights) {
      std::vector<double> whole;
      std::size_t at = 0;
      std::size_t next = 0;
      for (std::size_t f = 0; f < space.features.size(); ++f) {
        const bool is_used = next < used.size() && used[next] == f;
        next += is_used ? 1 : 0;
        for (std::size_t k = 0; k < space.features[f].categories.size(); ++k) {
          whole.push_back(is_used ? vector[at++] : 0);
        }
      }
      vector = std::move(whole);
    }
    const double entry = OneHotShape(with_features(space, used)).entry;
    return one_hot_model(form.model, std::move(weights), entry, space);
  }

  const Form& form_;
  LinearDirectOptions options_;
};

}  // namespace

std::vector<std::unique_ptr<DirectMethod>> linear_methods(const LinearDirectOptions& options) {
  std::vector<std::unique_ptr<DirectMethod>> methods;
  for (const Form& form : kForms) methods.push_back(std::make_unique<LinearMethod>(form, options));
  return methods;
}

}  // namespace privpfc
