#include "privpfc/classifiers/naive_bayes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "privpfc/classifiers/model_json.h"
#include "privpfc/classifiers/truncated_gaussian.h"

namespace privpfc {

namespace {

using Density = NaiveBayesOptions::Density;

struct Gaussian {
  double mean = 0;
  double deviation = 1;
  double log_scale = 0;  // the logarithm of the density at the mean
};

// What one feature says about each class.
struct FeatureModel {
  std::vector<Gaussian> gaussians;              // numbers, by class
  std::vector<std::vector<double>> log_shares;  // categories, by class then category
};

class NaiveBayes final : public Model {
 public:
  NaiveBayes(Density density, std::vector<double> log_priors, std::vector<FeatureModel> features)
      : density_(density), log_priors_(std::move(log_priors)), features_(std::move(features)) {}

  ModelKind kind() const override { return ModelKind::kNaiveBayes; }

  void predict(const Rows& rows, std::size_t begin, std::size_t end,
               Predictions& out) const override {
    const std::size_t classes = log_priors_.size();
    for (std::size_t i = begin; i < end; ++i) {
      std::copy(log_priors_.begin(), log_priors_.end(), out.row(i));
    }
    for (std::size_t f = 0; f < features_.size(); ++f) {
      const FeatureModel& feature = features_[f];
      const FeatureColumn& column = rows.columns[f];
      for (std::size_t c = 0; c < classes; ++c) {
        if (feature.gaussians.empty()) {
          for (std::size_t i = begin; i < end; ++i) {
            const std::uint16_t code = column.codes[i];
            if (code != kMissingCode) out.row(i)[c] += feature.log_shares[c][code];
          }
          continue;
        }
        const Gaussian& gaussian = feature.gaussians[c];
        for (std::size_t i = begin; i < end; ++i) {
          if (std::isnan(column.numbers[i])) continue;
          const double z = (column.numbers[i] - gaussian.mean) / gaussian.deviation;
          out.row(i)[c] += gaussian.log_scale - z * z / 2;
        }
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      out.labels[i] = largest_class(out.row(i), classes);
      softmax(out.row(i), classes);
    }
  }

  std::string parameters() const override {
    Json features = Json::array();
    for (const FeatureModel& feature : features_) {
      if (feature.gaussians.empty()) {
        features.push_back({{"log_shares", feature.log_shares}});
        continue;
      }
      Json means = Json::array();
      Json deviations = Json::array();
      for (const Gaussian& gaussian : feature.gaussians) {
        means.push_back(gaussian.mean);
        deviations.push_back(gaussian.deviation);
      }
      features.push_back({{"means", std::move(means)}, {"deviations", std::move(deviations)}});
    }
    return Json{{"density", density_ == Density::kTruncated ? "truncated" : "gaussian"},
                {"log_priors", log_priors_},
                {"features", std::move(features)}}
        .dump();
  }

 private:
  Density density_;
  std::vector<double> log_priors_;
  std::vector<FeatureModel> features_;
};

Gaussian make_gaussian(double mean, double deviation, const Feature& feature, Density density) {
  Gaussian gaussian{mean, deviation, 0};
  gaussian.log_scale = -std::log(deviation * std::sqrt(2 * std::numbers::pi));
  if (density == Density::kTruncated && feature.high > feature.low) {
    gaussian.log_scale -=
        log_normal_mass((feature.low - mean) / deviation, (feature.high - mean) / deviation);
  }
  return gaussian;
}

// The weighted mean and deviation of the values for which `counts` holds; false if there are none.
template <typename Counts>
bool moments(const std::vector<double>& values, const std::vector<double>& weights, Counts counts,
             double& mean, double& deviation) {
  double weight = 0;
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) || !counts(i)) continue;
    weight += weights[i];
    sum += weights[i] * values[i];
  }
  if (!(weight > 0)) return false;
  mean = sum / weight;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) || !counts(i)) continue;
    squares += weights[i] * (values[i] - mean) * (values[i] - mean);
  }
  deviation = std::sqrt(squares / weight);
  return true;
}

FeatureModel learn_numbers(const Feature& feature, const FeatureColumn& column, const Dataset& data,
                           std::size_t classes, Density density) {
  const double width = feature.high - feature.low;
  const double least = width > 0 ? kLeastDeviation * width : 1;
  double all_mean = feature.low + width / 2;
  double all_deviation = std::max(width / 4, least);
  moments(
      column.numbers, data.weights, [](std::size_t) { return true; }, all_mean, all_deviation);
  FeatureModel model;
  for (std::size_t c = 0; c < classes; ++c) {
    double mean = all_mean;
    double deviation = all_deviation;
    moments(
        column.numbers, data.weights, [&](std::size_t i) { return data.labels[i] == c; }, mean,
        deviation);
    if (density == Density::kTruncated && width > 0) {
      const TruncatedGaussian fitted =
          fit_truncated_gaussian(feature.low, feature.high, mean, deviation * deviation);
      mean = fitted.mean;
      deviation = fitted.deviation;
    }
    model.gaussians.push_back(make_gaussian(mean, std::max(deviation, least), feature, density));
  }
  return model;
}

FeatureModel learn_categories(const Feature& feature, const FeatureColumn& column,
                              const Dataset& data, std::size_t classes, double smoothing) {
  FeatureModel model;
  model.log_shares.assign(classes, std::vector<double>(feature.categories.size(), smoothing));
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (column.codes[i] != kMissingCode) {
      model.log_shares[data.labels[i]][column.codes[i]] += data.weights[i];
    }
  }
  for (std::vector<double>& shares : model.log_shares) {
    double total = 0;
    for (const double share : shares) total += share;
    for (double& share : shares) share = std::log(share / total);
  }
  return model;
}

}  // namespace

Result<std::unique_ptr<Model>> train_naive_bayes(const FeatureSpace& space, const Dataset& data,
                                                 const NaiveBayesOptions& options) {
  if (!(options.smoothing > 0) || !std::isfinite(options.smoothing)) {
    return make_error(ErrorKind::kUsage, "the smoothing of naive Bayes must be above 0");
  }
  const std::size_t classes = space.class_count();
  std::vector<double> priors = class_weights(data, classes);
  double total = 0;
  for (double& prior : priors) total += prior += options.smoothing;
  for (double& prior : priors) prior = std::log(prior / total);
  std::vector<FeatureModel> features;
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    const Feature& feature = space.features[f];
    const FeatureColumn& column = data.rows.columns[f];
    features.push_back(feature.is_number()
                           ? learn_numbers(feature, column, data, classes, options.density)
                           : learn_categories(feature, column, data, classes, options.smoothing));
  }
  return std::unique_ptr<Model>(
      std::make_unique<NaiveBayes>(options.density, std::move(priors), std::move(features)));
}

std::unique_ptr<Model> make_naive_bayes(const FeatureSpace& space,
                                        const NaiveBayesParameters& parameters) {
  const std::size_t classes = space.class_count();
  require(parameters.log_priors.size() == classes, "naive Bayes: a prior for every class");
  require(parameters.features.size() == space.features.size(), "naive Bayes: every feature");
  std::vector<FeatureModel> features;
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    const Feature& feature = space.features[f];
    const auto& given = parameters.features[f];
    FeatureModel model;
    if (feature.is_number()) {
      require(given.means.size() == classes && given.deviations.size() == classes,
              "naive Bayes: a mean and a deviation for every class");
      for (std::size_t c = 0; c < classes; ++c) {
        require(given.deviations[c] > 0, "naive Bayes: a deviation is above 0");
        model.gaussians.push_back(
            make_gaussian(given.means[c], given.deviations[c], feature, parameters.density));
      }
    } else {
      require(given.log_shares.size() == classes, "naive Bayes: shares for every class");
      for (const std::vector<double>& shares : given.log_shares) {
        require(shares.size() == feature.categories.size(), "naive Bayes: all categories");
      }
      model.log_shares = given.log_shares;
    }
    features.push_back(std::move(model));
  }
  return std::make_unique<NaiveBayes>(parameters.density, parameters.log_priors,
                                      std::move(features));
}

std::uint64_t most_naive_bayes_bytes(const FeatureSpace& space) {
  constexpr std::uint64_t kAround = 64;  // the names and brackets of a feature; of the whole
  constexpr std::uint64_t kListOfClass = 3;
  const std::uint64_t classes = space.class_count();
  std::uint64_t bytes = kAround + classes * kMostNumberBytes;
  for (const Feature& feature : space.features) {
    const std::uint64_t numbers = feature.is_number() ? 2 : feature.categories.size();
    bytes += kAround + classes * (kListOfClass + numbers * kMostNumberBytes);
  }
  return bytes;
}

Result<std::unique_ptr<Model>> read_naive_bayes(const FeatureSpace& space,
                                                std::string_view parameters) {
  const Json json = Json::parse(parameters, nullptr, false);
  const std::size_t classes = space.class_count();
  PRIVPFC_ASSIGN(const std::string name, json_text(json, "density"));
  if (name != "gaussian" && name != "truncated") return bad_model("no such density");
  const Density density = name == "truncated" ? Density::kTruncated : Density::kGaussian;
  PRIVPFC_ASSIGN(std::vector<double> priors, json_numbers(json, "log_priors", classes));
  PRIVPFC_ASSIGN(const Json* list,
                 json_list(json, "features", space.features.size(), space.features.size()));
  std::vector<FeatureModel> features;
  for (std::size_t f = 0; f < space.features.size(); ++f) {
    const Feature& feature = space.features[f];
    FeatureModel model;
    if (feature.is_number()) {
      PRIVPFC_ASSIGN(const std::vector<double> means, json_numbers((*list)[f], "means", classes));
      PRIVPFC_ASSIGN(const std::vector<double> deviations,
                     json_numbers((*list)[f], "deviations", classes));
      for (std::size_t c = 0; c < classes; ++c) {
        if (!(deviations[c] > 0)) return bad_model("a deviation is not above 0");
        model.gaussians.push_back(make_gaussian(means[c], deviations[c], feature, density));
      }
    } else {
      PRIVPFC_ASSIGN(const Json* by_class, json_list((*list)[f], "log_shares", classes, classes));
      for (const Json& shares : *by_class) {
        PRIVPFC_ASSIGN(std::vector<double> log_shares,
                       numbers_of(shares, "log_shares", feature.categories.size()));
        model.log_shares.push_back(std::move(log_shares));
      }
    }
    features.push_back(std::move(model));
  }
  return std::unique_ptr<Model>(
      std::make_unique<NaiveBayes>(density, std::move(priors), std::move(features)));
}

}  // namespace privpfc
