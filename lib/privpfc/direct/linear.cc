#include "privpfc/direct/linear.h"

#include <algorithm>
#include <cmath>

#include "privpfc/direct/linear_points.h"
#include "privpfc/direct/newton.h"

namespace privpfc {

namespace {

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

// Of a hundred parts of epsilon, those that buy the number of rows (svm: lambda follows it).
constexpr std::uint64_t kPartsForRows = 2;
// logistic: lambda is this over a model's epsilon (docs/methods/logistic-objective.md).
constexpr double kLogisticLambda = 4;
constexpr double kMostLambda = 1e9;

double as_double(Epsilon epsilon) {
  return static_cast<double>(epsilon.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
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
    if (!(options_.fourier.gamma >= 0 && options_.fourier.gamma <= 1e6) ||
        options_.fourier.frequencies < 1 || options_.fourier.frequencies > 2'000) {
      return make_error(
          ErrorKind::kUsage,
          "random features need 1 to 2,000 frequencies and a gamma of 0 to a million");
    }
    if (OneHotShape(setting.space).dimension > 20'000) {
      return make_error(ErrorKind::kLimit,
                        "the attributes have more than 20,000 categories: group them in the "
                        "schema, or leave some out");
    }
    // One part for each model, of each part a hundredth for the rounding: none may be nothing.
    const std::uint64_t parts = 200 * model_count(setting.space.class_count());
    if (epsilon.units() < 100 * parts) {
      return make_error(ErrorKind::kUsage, "epsilon is too small to be shared by {} parts", parts);
    }
    const double least = least_model_lambda(setting, epsilon);
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
    const double lambda = choose_lambda(rows, setting, mechanisms, budget);
    LinearTask task = shape(space);
    task.lambda = lambda;
    const Private<LabelledPoints> points =
        form_.model == ModelKind::kFourierSvm
            ? transform([](const Dataset& data,
                           const FourierMap& map) { return fourier_points(data, map); },
                        rows, FourierMap(space, options_.fourier))
            : transform([](const Dataset& data,
                           const FeatureSpace& known) { return one_hot_points(data, known); },
                        rows, space);
    std::vector<Released<std::vector<std::int64_t>>> answers;
    for (Budget& share : std::move(budget).split(std::vector<std::uint64_t>(models, 1))) {
      task.positive = static_cast<std::uint8_t>(models == 1 ? 1 : answers.size());
      answers.push_back(
          form_.perturb == Perturb::kObjective
              ? mechanisms.perturbed_minimum(points, task, minimise_by_newton, std::move(share))
              : mechanisms.perturbed_output(points, task, minimise_by_newton, std::move(share)));
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
           const FeatureSpace& known) { return as_model(std::move(list), form, options, known); },
        std::move(weights), as_public(form_), as_public(options_), as_public(space));
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

  bool needs_rows() const { return !form_.logistic && options_.lambda == 0; }

  // What one model gets, within a few billionths.
  Epsilon model_epsilon(std::size_t classes, Epsilon epsilon) const {
    const std::uint64_t parts = needs_rows() ? 100 - kPartsForRows : 100;
    return Epsilon::from_units(epsilon.units() / 100 * parts / model_count(classes));
  }

  double least_model_lambda(const DirectSetting& setting, Epsilon epsilon) const {
    if (form_.perturb == Perturb::kOutput) return 1;
    return least_lambda(loss(), model_epsilon(setting.space.class_count(), epsilon));
  }

  // Takes what the number of rows costs, if it is needed, out of the budget.
  double choose_lambda(const Private<Dataset>& rows, const DirectSetting& setting,
                       Mechanisms& mechanisms, Budget& budget) const {
    const Epsilon epsilon = budget.epsilon();
    const double least = least_model_lambda(setting, epsilon);
    const double share = as_double(model_epsilon(setting.space.class_count(), epsilon));
    if (options_.lambda != 0) return std::max(least, options_.lambda);
    if (form_.logistic) return std::max(least, kLogisticLambda / share);
    const Private<std::vector<std::int64_t>> count = transform(
        [](const Dataset& data) {
          return std::vector<std::int64_t>{static_cast<std::int64_t>(data.count())};
        },
        rows);
    const Released<std::vector<std::int64_t>> noisy = mechanisms.noisy_counts(
        count, 1, L1Sensitivity(1),
        budget.take(Epsilon::from_units(epsilon.units() / 100 * kPartsForRows)));
    const double wanted = options_.regularisation * static_cast<double>(noisy.value()[0]);
    // With less, the noise on the weights would be longer than weights usually are.
    const double enough =
        form_.perturb == Perturb::kOutput
            ? std::sqrt(static_cast<double>(shape(setting.space).dimension)) / share
            : least;
    return std::clamp(wanted, std::max(least, enough), kMostLambda);
  }

  static std::unique_ptr<Model> as_model(Weights weights, const Form& form,
                                         const LinearDirectOptions& options,
                                         const FeatureSpace& space) {
    if (form.model == ModelKind::kFourierSvm) {
      return make_fourier_svm(space, options.fourier, std::move(weights));
    }
    return one_hot_model(form.model, std::move(weights), OneHotShape(space).entry, space);
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
