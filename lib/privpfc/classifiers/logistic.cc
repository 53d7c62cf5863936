#include "privpfc/classifiers/logistic.h"

#include <cmath>

#include "privpfc/classifiers/lbfgs.h"
#include "privpfc/classifiers/pairwise_json.h"

namespace privpfc {

namespace {

class Logistic final : public Model {
 public:
  // `coefficients`: by class, one entry per dimension and the bias.
  Logistic(InputMap map, std::vector<double> coefficients, std::size_t classes, bool converged)
      : map_(std::move(map)),
        coefficients_(std::move(coefficients)),
        classes_(classes),
        converged_(converged) {}

  ModelKind kind() const override { return ModelKind::kLogistic; }
  bool converged() const override { return converged_; }

  void predict(const Rows& rows, std::size_t begin, std::size_t end,
               Predictions& out) const override {
    const InputVectors points = map_.map(rows, begin, end);
    const std::size_t width = map_.dimension() + 1;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t c = 0; c < classes_; ++c) {
        const double* row = coefficients_.data() + c * width;
        out.row(i)[c] = dot(points, i - begin, row) + row[width - 1];
      }
      out.labels[i] = largest_class(out.row(i), classes_);
      softmax(out.row(i), classes_);
    }
  }

  std::string parameters() const override {
    const auto width = static_cast<std::ptrdiff_t>(map_.dimension() + 1);
    Json by_class = Json::array();
    for (auto row = coefficients_.begin(); row != coefficients_.end(); row += width) {
      by_class.push_back(std::vector<double>(row, row + width));
    }
    return Json{{"scaling", scaling_json(map_)}, {"coefficients", std::move(by_class)}}.dump();
  }

 private:
  InputMap map_;
  std::vector<double> coefficients_;
  std::size_t classes_;
  bool converged_;
};

}  // namespace

Result<std::unique_ptr<Model>> train_logistic(const FeatureSpace& space, const Dataset& data,
                                              const LogisticOptions& options) {
  if (!(options.l2 > 0) || !std::isfinite(options.l2) || !(options.tolerance > 0)) {
    return make_error(ErrorKind::kUsage,
                      "the L2 penalty and the tolerance of logistic regression must be above 0");
  }
  const std::size_t classes = space.class_count();
  InputMap map = InputMap::fit(space, data, options.scaling);
  const InputVectors points = map.map(data.rows, 0, data.count());
  const std::size_t width = map.dimension() + 1;
  double total = 0;
  for (const double weight : data.weights) total += weight;

  const auto loss = [&](std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t k = 0; k < width; ++k) {
        const double penalised = k + 1 < width ? x[c * width + k] : 0;
        value += options.l2 * penalised * penalised / 2;
        gradient[c * width + k] = options.l2 * penalised;
      }
    }
    std::vector<double> scores(classes);
    for (std::size_t i = 0; i < points.count; ++i) {
      if (!(data.weights[i] > 0)) continue;
      for (std::size_t c = 0; c < classes; ++c) {
        const double* row = x.data() + c * width;
        scores[c] = dot(points, i, row) + row[width - 1];
      }
      const double own = scores[data.labels[i]];
      double largest = own;
      for (const double score : scores) largest = std::max(largest, score);
      double sum = 0;
      for (const double score : scores) sum += std::exp(score - largest);
      value += data.weights[i] * (largest + std::log(sum) - own);
      for (std::size_t c = 0; c < classes; ++c) {
        const double probability = std::exp(scores[c] - largest) / sum;
        const double pull = data.weights[i] * (probability - (data.labels[i] == c ? 1 : 0));
        add_scaled(points, i, pull, gradient.data() + c * width);
        gradient[c * width + width - 1] += pull;
      }
    }
    // Per unit of weight, so that the tolerance means the same for any number of rows.
    for (double& entry : gradient) entry /= total;
    return value / total;
  };

  // Without any input the biases are the classes' log shares; a class without rows has none, and
  // starting half a row above zero lets its bias sink as far as the tolerance asks for.
  std::vector<double> x(classes * width, 0);
  const std::vector<double> shares = class_weights(data, classes);
  for (std::size_t c = 0; c < classes; ++c) x[c * width + width - 1] = std::log(shares[c] + 0.5);
  const bool converged = minimise_lbfgs(loss, x, options.tolerance, options.most_steps);
  return std::unique_ptr<Model>(
      std::make_unique<Logistic>(std::move(map), std::move(x), classes, converged));
}

std::unique_ptr<Model> make_logistic(const FeatureSpace& space,
                                     const std::vector<std::vector<double>>& coefficients) {
  InputMap map(space, {});
  require(coefficients.size() == space.class_count(), "one vector of coefficients per class");
  std::vector<double> all;
  for (const std::vector<double>& row : coefficients) {
    require(row.size() == map.dimension() + 1, "one coefficient per category, and the bias");
    all.insert(all.end(), row.begin(), row.end());
  }
  return std::make_unique<Logistic>(std::move(map), std::move(all), space.class_count(), true);
}

Result<std::unique_ptr<Model>> read_logistic(const FeatureSpace& space,
                                             std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  PRIVPFC_ASSIGN(InputMap map, read_scaling(space, json));
  PRIVPFC_ASSIGN(const Json* by_class,
                 json_list(json, "coefficients", space.class_count(), space.class_count()));
  std::vector<double> coefficients;
  for (const Json& row : *by_class) {
    PRIVPFC_ASSIGN(const std::vector<double> numbers,
                   numbers_of(row, "coefficients", map.dimension() + 1));
    coefficients.insert(coefficients.end(), numbers.begin(), numbers.end());
  }
  return std::unique_ptr<Model>(std::make_unique<Logistic>(std::move(map), std::move(coefficients),
                                                           space.class_count(), true));
}

}  // namespace privpfc
