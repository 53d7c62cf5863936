#include "privpfc/as_published/naive_bayes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "privpfc/as_published/named_method.h"
#include "privpfc/as_published/plain_noise.h"
#include "privpfc/classifiers/naive_bayes.h"

namespace privpfc {
namespace {

constexpr double kLeast = 1e-5;       // in place of what should be positive and is not
constexpr double kTrimmed = 0.05;     // at each end; the smooth paper names no share
constexpr double kLeastWidth = 1e-3;  // of a deviation: a model needs one above zero

// The values of one number in one class.
struct ClassValues {
  std::vector<double> sorted;
  double mean = 0;
  double deviation = 0;

  double size() const { return static_cast<double>(sorted.size()); }
};

void measure(ClassValues& values) {
  for (const double value : values.sorted) values.mean += value / values.size();
  for (const double value : values.sorted) {
    values.deviation += (value - values.mean) * (value - values.mean) / values.size();
  }
  values.deviation = std::sqrt(values.deviation);
}

std::vector<ClassValues> values_by_class(const Dataset& rows, std::size_t feature,
                                         std::size_t classes, double trimmed) {
  std::vector<ClassValues> all(classes);
  const std::vector<double>& numbers = rows.rows.columns[feature].numbers;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    if (!std::isnan(numbers[i])) all[rows.labels[i]].sorted.push_back(numbers[i]);
  }
  for (ClassValues& values : all) {
    std::vector<double>& sorted = values.sorted;
    std::sort(sorted.begin(), sorted.end());
    const auto cut = static_cast<std::ptrdiff_t>(trimmed * values.size());
    sorted.erase(sorted.end() - cut, sorted.end());
    sorted.erase(sorted.begin(), sorted.begin() + cut);
    measure(values);
  }
  return all;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

double cauchy(PlainNoise& noise, double scale) {
  return scale * std::tan(std::numbers::pi * (noise.unit() - 0.5));
}

// How one paper answers its queries, epsilon being the part of one query.
class Answers {
 public:
  virtual ~Answers() = default;
  virtual double part(double epsilon, double categories, double numbers) const = 0;
  virtual double class_count(double count, double epsilon, PlainNoise& noise) const = 0;
  virtual double count(double count, double epsilon, PlainNoise& noise) const = 0;
  virtual Moments moments(const ClassValues& values, double low, double high, double epsilon,
                          PlainNoise& noise) const = 0;
  virtual double trimmed() const { return 0; }
};

double shared(double epsilon, double categories, double numbers) {
  return epsilon / (1 + categories + 2 * numbers);
}

// The comparison of three classifiers: one epsilon for all queries, noise by the private number of
// rows of a class, a small positive number in place of negative answers.
class ComparisonAnswers final : public Answers {
 public:
  double part(double epsilon, double categories, double numbers) const override {
    return shared(epsilon, categories, numbers);
  }
  double class_count(double count, double epsilon, PlainNoise& noise) const override {
    return std::max(kLeast, count + noise.laplace(1 / epsilon));
  }
  double count(double count, double epsilon, PlainNoise& noise) const override {
    return class_count(count, epsilon, noise);
  }
  Moments moments(const ClassValues& values, double low, double high, double epsilon,
                  PlainNoise& noise) const override {
    const double width = high - low;
    return {values.mean + noise.laplace(width / values.size() / epsilon),
            std::max(kLeast,
                     values.deviation + noise.laplace(width / std::sqrt(values.size()) / epsilon))};
  }
};

// Vaidya and others: the whole epsilon for every query, a deviation's sensitivity as a mean's,
// negative answers drawn again.
class VaidyaAnswers final : public Answers {
 public:
  double part(double epsilon, double, double) const override { return epsilon; }
  double class_count(double count, double epsilon, PlainNoise& noise) const override {
    return until_positive(count, 1 / epsilon, noise);
  }
  double count(double count, double epsilon, PlainNoise& noise) const override {
    return until_positive(count, 1 / epsilon, noise);
  }
  Moments moments(const ClassValues& values, double low, double high, double epsilon,
                  PlainNoise& noise) const override {
    const double scale = (high - low) / values.size() / epsilon;
    return {values.mean + noise.laplace(scale), until_positive(values.deviation, scale, noise)};
  }

 private:
  static double until_positive(double value, double scale, PlainNoise& noise) {
    for (;;) {
      const double answer = value + noise.laplace(scale);
      if (answer > 0) return answer;
    }
  }
};

// Smooth sensitivity with beta = epsilon and the constant sqrt(2). The trimmed sample counts as the
// table, its size as public, and the deviation gets noise by the variance's sensitivity.
class SmoothAnswers final : public Answers {
 public:
  double part(double epsilon, double categories, double numbers) const override {
    return shared(epsilon, categories, numbers);
  }
  double class_count(double count, double epsilon, PlainNoise& noise) const override {
    return std::max(kLeast, count + cauchy(noise, std::numbers::sqrt2 / epsilon));
  }
  double count(double count, double epsilon, PlainNoise& noise) const override {
    return std::max(0.0, count + noise.laplace(1 / epsilon)) + 1;
  }
  Moments moments(const ClassValues& values, double low, double high, double epsilon,
                  PlainNoise& noise) const override {
    const double n = values.size();
    const double width = high - low;
    const double farthest = std::max(high - values.sorted.front(), values.sorted.back() - low);
    const double of_mean = std::max(farthest, std::exp(-epsilon) * width) / n;
    // The paper gives a search and no formula. A value at the mean goes to the farther end; k other
    // changes can bring the mean closer to the other end by k widths over n.
    const double reach = std::max(high - values.mean, values.mean - low);
    double of_variance = 0;
    for (double k = 0; k <= n; ++k) {
      const double distance = std::min(width, reach + k * width / n);
      of_variance =
          std::max(of_variance, std::exp(-epsilon * k) * (n - 1) / (n * n) * distance * distance);
      if (distance >= width) break;
    }
    const double root2 = std::numbers::sqrt2;
    return {values.mean + cauchy(noise, root2 * of_mean / epsilon),
            std::max(0.0, values.deviation + cauchy(noise, root2 * of_variance / epsilon))};
  }
  double trimmed() const override { return kTrimmed; }
};

class PublishedNaiveBayes final : public NamedPublishedMethod {
 public:
  PublishedNaiveBayes(const PublishedText& text, std::unique_ptr<Answers> answers)
      : NamedPublishedMethod(text, ModelKind::kNaiveBayes), answers_(std::move(answers)) {}

  std::vector<AttributeView> views(const Schema& schema, double) const override {
    return plain_views(schema);
  }

  Result<std::unique_ptr<Model>> train(const Dataset& rows, const Schema&,
                                       const FeatureSpace& space, double epsilon,
                                       std::uint64_t seed) const override {
    const std::size_t classes = space.class_count();
    double numbers = 0;
    for (const Feature& feature : space.features) numbers += feature.is_number() ? 1 : 0;
    const double part =
        answers_->part(epsilon, static_cast<double>(space.features.size()) - numbers, numbers);
    PlainNoise noise(seed);
    NaiveBayesParameters learned;
    std::vector<double> noisy;
    for (const double count : class_weights(rows, classes)) {
      noisy.push_back(answers_->class_count(count, part, noise));
      // Over the true number of rows, as printed: it shifts all classes alike.
      learned.log_priors.push_back(std::log(noisy.back() / static_cast<double>(rows.count())));
    }
    for (std::size_t f = 0; f < space.features.size(); ++f) {
      NaiveBayesParameters::FeatureParameters parameters;
      if (space.features[f].is_number()) {
        PRIVPFC_TRY(learn_number(rows, f, space, part, noise, parameters));
      } else {
        learn_categories(rows, f, space, part, noisy, noise, parameters);
      }
      learned.features.push_back(std::move(parameters));
    }
    return make_naive_bayes(space, learned);
  }

 private:
  Status learn_number(const Dataset& rows, std::size_t f, const FeatureSpace& space, double part,
                      PlainNoise& noise,
                      NaiveBayesParameters::FeatureParameters& parameters) const {
    const Feature& feature = space.features[f];
    for (const ClassValues& values :
         values_by_class(rows, f, space.class_count(), answers_->trimmed())) {
      if (values.sorted.empty()) {
        return make_error(ErrorKind::kData,
                          "{} scales its noise by the number of rows of a class, and a class has "
                          "none with a value of '{}'",
                          name(), feature.name);
      }
      const Moments said = answers_->moments(values, feature.low, feature.high, part, noise);
      parameters.means.push_back(said.mean);
      parameters.deviations.push_back(
          std::max(said.deviation, kLeastWidth * (feature.high - feature.low)));
    }
    return {};
  }

  void learn_categories(const Dataset& rows, std::size_t f, const FeatureSpace& space, double part,
                        const std::vector<double>& noisy_classes, PlainNoise& noise,
                        NaiveBayesParameters::FeatureParameters& parameters) const {
    const std::size_t categories = space.features[f].categories.size();
    std::vector<std::vector<double>> counts(space.class_count(), std::vector<double>(categories));
    const std::vector<std::uint16_t>& codes = rows.rows.columns[f].codes;
    for (std::size_t i = 0; i < rows.count(); ++i) {
      if (codes[i] != kMissingCode) ++counts[rows.labels[i]][codes[i]];
    }
    for (std::size_t c = 0; c < counts.size(); ++c) {
      for (double& count : counts[c]) {
        count = std::log(answers_->count(count, part, noise) / noisy_classes[c]);
      }
    }
    parameters.log_shares = std::move(counts);
  }

  std::unique_ptr<Answers> answers_;
};

}  // namespace

std::unique_ptr<PublishedMethod> nb_comparison_as_published() {
  return std::make_unique<PublishedNaiveBayes>(
      PublishedText{"nb-comparison-as-published", "naive Bayes as in the comparison of classifiers",
                    "Lopuhaa-Zwakenberg et al. 2021",
                    "NOT PRIVATE: noise is scaled by the private number of rows of a class, which "
                    "has unbounded loss; the number of rows is published"},
      std::make_unique<ComparisonAnswers>());
}

std::unique_ptr<PublishedMethod> nb_vaidya_as_published() {
  return std::make_unique<PublishedNaiveBayes>(
      PublishedText{"nb-vaidya-as-published", "naive Bayes as first published under privacy",
                    "Vaidya et al. 2013",
                    "NOT PRIVATE: the whole epsilon for every query, noise scaled by the private "
                    "number of rows of a class, negative answers drawn again"},
      std::make_unique<VaidyaAnswers>());
}

std::unique_ptr<PublishedMethod> nb_smooth_as_published() {
  return std::make_unique<PublishedNaiveBayes>(
      PublishedText{"nb-smooth-as-published", "naive Bayes with smooth sensitivity as published",
                    "Zafarani and Clifton 2021",
                    "NOT PRIVATE as printed: up to 1.23 epsilon per query even if the number of "
                    "rows of a class were public, and deviations get the noise of variances"},
      std::make_unique<SmoothAnswers>());
}

}  // namespace privpfc
