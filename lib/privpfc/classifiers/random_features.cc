#include "privpfc/classifiers/random_features.h"

#include <cmath>

#include "privpfc/base/splitmix.h"
#include "privpfc/classifiers/model_json.h"

namespace privpfc {

namespace {

constexpr std::size_t kMostFrequencies = 2'000;

class PublicRandom {
 public:
  explicit PublicRandom(std::uint64_t seed) : numbers_(seed) {}

  // Uniform in (0, 1).
  double fraction() { return (static_cast<double>(numbers_.next() >> 11) + 0.5) * 0x1p-53; }

  double normal() {
    const double radius = std::sqrt(-2 * std::log(fraction()));
    return radius * std::cos(6.283185307179586 * fraction());
  }

 private:
  SplitMix numbers_;
};

std::vector<InputMap::Number> by_bounds(const FeatureSpace& space) {
  std::vector<InputMap::Number> numbers;
  for (const Feature& feature : space.features) {
    if (!feature.is_number()) continue;
    const double half = (feature.high - feature.low) / 2;
    numbers.push_back({0, feature.low + half, half > 0 ? 1 / half : 0});
  }
  return numbers;
}

class FourierSvm final : public Model {
 public:
  FourierSvm(FourierMap map, std::vector<std::vector<double>> weights, std::size_t classes)
      : map_(std::move(map)), weights_(std::move(weights)), classes_(classes) {}

  ModelKind kind() const override { return ModelKind::kFourierSvm; }

  void predict(const Rows& rows, std::size_t begin, std::size_t end,
               Predictions& out) const override {
    const InputVectors points = map_.inputs().map(rows, begin, end);
    std::vector<double> features(map_.dimension());
    for (std::size_t i = begin; i < end; ++i) {
      map_.map(points, i - begin, features.data());
      double* scores = out.row(i);
      scores[0] = 0;
      for (std::size_t m = 0; m < weights_.size(); ++m) {
        double sum = 0;
        for (std::size_t k = 0; k < features.size(); ++k) sum += features[k] * weights_[m][k];
        scores[classes_ == 2 ? 1 : m] = sum;
      }
      out.labels[i] = largest_class(scores, classes_);
      softmax(scores, classes_);
    }
  }

  std::string parameters() const override {
    return Json{{"frequencies", map_.options().frequencies},
                {"gamma", map_.options().gamma},
                {"seed", map_.options().seed},
                {"weights", weights_}}
        .dump();
  }

 private:
  FourierMap map_;
  std::vector<std::vector<double>> weights_;
  std::size_t classes_;
};

}  // namespace

FourierMap::FourierMap(const FeatureSpace& space, const FourierOptions& options)
    : inputs_(space, by_bounds(space)), options_(options) {
  require(0 < options.frequencies && options.frequencies <= kMostFrequencies,
          "1 to 2,000 frequencies");
  require(options.gamma >= 0 && options.gamma <= FourierOptions::kMostGamma,
          "gamma lies between 0 and a million");
  if (options_.gamma == 0) {
    options_.gamma = 1 / std::max(1.0, static_cast<double>(space.features.size()));
  }
  PublicRandom random(options.seed);
  const double deviation = std::sqrt(2 * options_.gamma);
  for (std::size_t k = 0; k < options.frequencies * inputs_.dimension(); ++k) {
    // Rounded, so that the last bit of somebody's logarithm changes nothing.
    table_.push_back(std::round(deviation * random.normal() * 0x1p20) * 0x1p-20);
  }
}

void FourierMap::map(const InputVectors& points, std::size_t i, double* out) const {
  const double scale = 1 / std::sqrt(static_cast<double>(options_.frequencies));
  for (std::size_t j = 0; j < options_.frequencies; ++j) {
    const double angle = dot(points, i, table_.data() + j * inputs_.dimension());
    out[2 * j] = scale * std::cos(angle);
    out[2 * j + 1] = scale * std::sin(angle);
  }
}

std::unique_ptr<Model> make_fourier_svm(const FeatureSpace& space, const FourierOptions& options,
                                        std::vector<std::vector<double>> weights) {
  FourierMap map(space, options);
  require(weights.size() == (space.class_count() == 2 ? 1 : space.class_count()),
          "one vector of weights per class, or one for two classes");
  for (const std::vector<double>& vector : weights) {
    require(vector.size() == map.dimension(), "one weight per random feature");
  }
  return std::make_unique<FourierSvm>(std::move(map), std::move(weights), space.class_count());
}

Result<std::unique_ptr<Model>> read_fourier_svm(const FeatureSpace& space,
                                                std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  FourierOptions options;
  PRIVPFC_ASSIGN(options.frequencies, json_index(json, "frequencies", kMostFrequencies + 1));
  if (options.frequencies == 0) return bad_model("'frequencies' is 0");
  PRIVPFC_ASSIGN(options.gamma, json_number_in(json, "gamma", FourierOptions::kLeastGamma,
                                               FourierOptions::kMostGamma));
  PRIVPFC_ASSIGN(const Json* seed, json_member(json, "seed"));
  if (!seed->is_number_unsigned()) return bad_model("'seed' is not a whole number");
  options.seed = seed->get<std::uint64_t>();
  const std::size_t models = space.class_count() == 2 ? 1 : space.class_count();
  PRIVPFC_ASSIGN(const Json* list, json_list(json, "weights", models, models));
  std::vector<std::vector<double>> weights;
  for (const Json& entry : *list) {
    PRIVPFC_ASSIGN(std::vector<double> vector,
                   numbers_of(entry, "weights", 2 * options.frequencies));
    weights.push_back(std::move(vector));
  }
  return make_fourier_svm(space, options, std::move(weights));
}

}  // namespace privpfc
