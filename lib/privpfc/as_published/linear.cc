#include "privpfc/as_published/linear.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "privpfc/as_published/named_method.h"
#include "privpfc/as_published/plain_noise.h"
#include "privpfc/direct/linear_points.h"
#include "privpfc/direct/newton.h"

namespace privpfc {
namespace {

constexpr double kHuberWidth = 0.05;
constexpr double kRegularisation = 3.1622776601683795e-3;  // 10^-2.5, of the mean of the losses

using Weights = std::vector<std::vector<double>>;

// Uniform direction, and a length by the Gamma law of shape d and this scale: density
// ~ exp(-|b| / scale).
std::vector<double> draw_vector(PlainNoise& noise, std::size_t dimension, double scale) {
  std::vector<double> vector(dimension);
  double squares = 0;
  double length = 0;
  for (double& entry : vector) {
    entry = std::sqrt(2 * noise.exponential()) * std::cos(2 * std::numbers::pi * noise.unit());
    squares += entry * entry;
    length += scale * noise.exponential();
  }
  for (double& entry : vector) entry *= length / std::sqrt(squares);
  return vector;
}

// How a paper turns rows into points, and weights into those of one-hot categories.
struct Inputs {
  LabelledPoints points;
  double entry = 0;                         // one-hot: what stands for a 1
  std::vector<std::vector<double>> values;  // else: by feature and code
};

Inputs one_hot_inputs(const Dataset& rows, const FeatureSpace& space) {
  return {one_hot_points(rows, space), OneHotShape(space).entry, {}};
}

// One number per attribute: bins in their order, other categories numbered at random, divided by
// the largest number that occurs in the rows and by the root of the number of attributes.
Inputs numbered_inputs(const Dataset& rows, const FeatureSpace& space, PlainNoise& noise) {
  const std::size_t features = space.features.size();
  std::vector<std::vector<double>> values(features);
  for (std::size_t f = 0; f < features; ++f) {
    std::vector<double>& numbers = values[f];
    numbers.resize(space.features[f].categories.size());
    std::iota(numbers.begin(), numbers.end(), 1.0);
    if (!space.features[f].ordered) {
      for (std::size_t i = numbers.size(); i > 1; --i) {
        std::swap(numbers[i - 1], numbers[noise.bits() % i]);
      }
    }
    double largest = 1;
    for (const std::uint16_t code : rows.rows.columns[f].codes) {
      if (code != kMissingCode) largest = std::max(largest, numbers[code]);
    }
    for (double& number : numbers) number /= largest * std::sqrt(static_cast<double>(features));
  }
  Inputs inputs{LabelledPoints(std::max<std::size_t>(1, features),
                               std::sqrt(static_cast<double>(std::max<std::size_t>(1, features)))),
                0, std::move(values)};
  const Dataset merged = merge_equal_rows(rows);
  std::vector<LabelledPoints::Entry> entries;
  for (std::size_t i = 0; i < merged.count(); ++i) {
    entries.clear();
    for (std::size_t f = 0; f < features; ++f) {
      const std::uint16_t code = merged.rows.columns[f].codes[i];
      if (code == kMissingCode) continue;
      entries.push_back(
          {static_cast<std::uint32_t>(f), static_cast<float>(inputs.values[f][code])});
    }
    inputs.points.add(entries, merged.labels[i], static_cast<std::uint32_t>(merged.weights[i]));
  }
  return inputs;
}

struct Form {
  PublishedText text;
  ModelKind model = ModelKind::kLinearSvm;
  SmoothLoss loss = SmoothLoss::huber(kHuberWidth);
  Perturb perturb = Perturb::kObjective;
  bool numbered = false;
};

class PublishedLinear final : public NamedPublishedMethod {
 public:
  explicit PublishedLinear(const Form& form)
      : NamedPublishedMethod(form.text, form.model), form_(form) {}

  std::vector<AttributeView> views(const Schema& schema, double) const override {
    return category_views(schema);
  }

  Result<std::unique_ptr<Model>> train(const Dataset& rows, const Schema&,
                                       const FeatureSpace& space, double epsilon,
                                       std::uint64_t seed) const override {
    if (rows.count() == 0) {
      return make_error(ErrorKind::kData, "{} divides by the number of rows, and there are none",
                        name());
    }
    PlainNoise noise(seed);
    const Inputs inputs =
        form_.numbered ? numbered_inputs(rows, space, noise) : one_hot_inputs(rows, space);
    // The papers have two classes; more share epsilon here, each against the rest.
    const std::size_t models = space.class_count() == 2 ? 1 : space.class_count();
    Weights weights;
    for (std::size_t model = 0; model < models; ++model) {
      LinearTask task;
      task.dimension = inputs.points.dimension();
      task.reach = inputs.points.reach();
      task.loss = form_.loss;
      task.positive = static_cast<std::uint8_t>(models == 1 ? 1 : model);
      weights.push_back(minimise(inputs.points, task, static_cast<double>(rows.count()),
                                 epsilon / static_cast<double>(models), noise));
    }
    if (form_.numbered) {
      for (std::vector<double>& vector : weights) vector = by_category(vector, inputs.values);
    }
    return one_hot_model(form_.model, std::move(weights), form_.numbered ? 1 : inputs.entry, space);
  }

 private:
  // What the papers write with a mean of losses, as a sum: lambda is n times theirs.
  std::vector<double> minimise(const LabelledPoints& points, LinearTask& task, double count,
                               double epsilon, PlainNoise& noise) const {
    task.lambda = count * kRegularisation;
    std::vector<double> tilt(task.dimension, 0.0);
    if (form_.perturb == Perturb::kObjective) {
      const double ratio = form_.loss.most_curvature() / task.lambda;
      double rate = epsilon - std::log(1 + 2 * ratio + ratio * ratio);
      if (rate <= 0) {
        rate = epsilon / 2;
        task.lambda = form_.loss.most_curvature() / std::expm1(epsilon / 4);
      }
      tilt = draw_vector(noise, task.dimension, 2 / rate);
    }
    constexpr double kTolerance = 1e-9;
    std::vector<double> weights = minimise_by_newton({points, task, tilt}, kTolerance * task.lambda,
                                                     std::vector<double>(task.dimension, 0.0));
    if (form_.perturb == Perturb::kOutput) {
      const std::vector<double> added =
          draw_vector(noise, task.dimension, 2 / (task.lambda * epsilon));
      for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += added[k];
    }
    return weights;
  }

  static std::vector<double> by_category(const std::vector<double>& by_feature,
                                         const std::vector<std::vector<double>>& values) {
    std::vector<double> weights;
    for (std::size_t f = 0; f < values.size(); ++f) {
      for (const double value : values[f]) weights.push_back(by_feature[f] * value);
    }
    return weights;
  }

  Form form_;
};

constexpr std::string_view kChaudhuri =
    "Chaudhuri, Monteleoni, Sarwate: Differentially private empirical risk minimization (2011)";
constexpr std::string_view kPublicRows =
    "NOT PRIVATE in the number of rows, which counts as public, nor in the bits of the noise and "
    "the error of the minimum; otherwise as claimed, one row replaced by another";

}  // namespace

std::vector<std::unique_ptr<PublishedMethod>> linear_as_published() {
  std::vector<Form> forms(4);
  forms[0].text = {"svm-objective-as-published",
                   "linear SVM by objective perturbation, one row replaced", kChaudhuri,
                   kPublicRows};
  forms[1].text = {"svm-output-as-published", "linear SVM by output perturbation, one row replaced",
                   kChaudhuri, kPublicRows};
  forms[1].perturb = Perturb::kOutput;
  forms[2].text = {"logistic-objective-as-published",
                   "logistic regression by objective perturbation, one row replaced", kChaudhuri,
                   kPublicRows};
  forms[2].model = ModelKind::kLogistic;
  forms[2].loss = SmoothLoss::logistic();
  forms[3].text = {"svm-comparison-as-published",
                   "linear SVM on numbered categories, as in the comparison of classifiers",
                   "Lopuhaa-Zwakenberg et al. 2021",
                   "NOT PRIVATE: attributes are scaled by the largest value in the rows, and the "
                   "number of rows counts as public"};
  forms[3].numbered = true;
  std::vector<std::unique_ptr<PublishedMethod>> methods;
  for (const Form& form : forms) methods.push_back(std::make_unique<PublishedLinear>(form));
  return methods;
}

}  // namespace privpfc
