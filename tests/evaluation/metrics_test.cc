#include "privpfc/evaluation/metrics.h"

#include <doctest/doctest.h>

#include <random>

using namespace privpfc;

namespace {

struct Judged {
  Predictions predictions;
  std::vector<std::uint8_t> labels;
  std::vector<double> weights;

  void add(std::uint8_t label, std::vector<double> probabilities, double weight = 1) {
    predictions.class_count = probabilities.size();
    predictions.labels.push_back(largest_class(probabilities.data(), probabilities.size()));
    predictions.probabilities.insert(predictions.probabilities.end(), probabilities.begin(),
                                     probabilities.end());
    labels.push_back(label);
    weights.push_back(weight);
  }
  Metrics metrics() const { return measure(predictions, labels, weights); }
};

Judged random_judged(std::mt19937& random, std::size_t rows, std::size_t classes) {
  Judged judged;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> probabilities;
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      probabilities.push_back(static_cast<double>(1 + random() % 4));  // so that there are ties
      sum += probabilities.back();
    }
    for (double& probability : probabilities) probability /= sum;
    judged.add(static_cast<std::uint8_t>(random() % classes), probabilities,
               static_cast<double>(random() % 4));
  }
  return judged;
}

}  // namespace

TEST_CASE("a small example, by hand") {
  Judged judged;
  judged.add(0, {0.9, 0.1});
  judged.add(0, {0.6, 0.4});
  judged.add(0, {0.3, 0.7});     // wrong
  judged.add(1, {0.2, 0.8}, 2);  // counts twice
  judged.add(1, {0.55, 0.45});   // wrong
  const Metrics metrics = judged.metrics();
  CHECK(metrics.rows == 6);
  CHECK(metrics.error == doctest::Approx(2.0 / 6));
  CHECK(*metrics.recalls[0] == doctest::Approx(2.0 / 3));
  CHECK(*metrics.recalls[1] == doctest::Approx(2.0 / 3));
  CHECK(metrics.balanced_error == doctest::Approx(1.0 / 3));
  // Pairs of a 1 and a 0, by the probability of 1: 0.8 (twice) beats 0.1, 0.4, 0.7; 0.45 beats two.
  CHECK(*metrics.auc == doctest::Approx((2 * 3 + 2) / 9.0));
  CHECK(metrics.brier == doctest::Approx(2 * (0.01 + 0.16 + 0.49 + 2 * 0.04 + 0.3025) / 6));
  // Confidences 0.9 | 0.8, 0.8 | 0.7 | 0.6 | 0.55, each in a tenth of its own.
  CHECK(metrics.calibration_error == doctest::Approx((0.1 + 2 * 0.2 + 0.7 + 0.4 + 0.55) / 6));
  CHECK(metrics.reliability[5].rows == 1);
  CHECK(metrics.reliability[8].rows == 2);
  CHECK(metrics.reliability[8].accuracy == 1);
  CHECK(metrics.interval.low < metrics.error);
  CHECK(metrics.interval.high > metrics.error);
}

TEST_CASE("the area under the curve is the share of pairs in the right order, for any classes") {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    const std::size_t classes = 2 + random() % 3;
    const Judged judged = random_judged(random, 30, classes);
    double sum = 0;
    std::size_t counted = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      double won = 0;
      double pairs = 0;
      for (std::size_t i = 0; i < 30; ++i) {
        for (std::size_t j = 0; j < 30; ++j) {
          if (judged.labels[i] != c || judged.labels[j] == c) continue;
          const double weight = judged.weights[i] * judged.weights[j];
          const double mine = judged.predictions.row(i)[c];
          const double other = judged.predictions.row(j)[c];
          pairs += weight;
          won += weight * (mine > other ? 1 : mine == other ? 0.5 : 0);
        }
      }
      if (pairs > 0) {
        sum += won / pairs;
        ++counted;
      }
    }
    CHECK(*judged.metrics().auc == doctest::Approx(sum / static_cast<double>(counted)));
  }
}

TEST_CASE("a row of weight n counts as n equal rows") {
  std::mt19937 random(4);
  const Judged judged = random_judged(random, 60, 3);
  Judged copies;
  for (std::size_t i = 0; i < 60; ++i) {
    const double* row = judged.predictions.row(i);
    for (int copy = 0; copy < judged.weights[i]; ++copy) {
      copies.add(judged.labels[i], {row[0], row[1], row[2]});
    }
  }
  const Metrics a = judged.metrics();
  const Metrics b = copies.metrics();
  CHECK(a.rows == b.rows);
  CHECK(a.error == doctest::Approx(b.error));
  CHECK(a.balanced_error == doctest::Approx(b.balanced_error));
  CHECK(*a.auc == doctest::Approx(*b.auc));
  CHECK(a.brier == doctest::Approx(b.brier));
  CHECK(a.calibration_error == doctest::Approx(b.calibration_error));
}

TEST_CASE("classes that do not occur have no recall, and one class alone no area") {
  Judged judged;
  judged.add(1, {0.2, 0.7, 0.1});
  judged.add(1, {0.5, 0.3, 0.2});
  const Metrics metrics = judged.metrics();
  CHECK_FALSE(metrics.recalls[0].has_value());
  CHECK(*metrics.recalls[1] == 0.5);
  CHECK(metrics.balanced_error == 0.5);
  CHECK_FALSE(metrics.auc.has_value());
  const Metrics none = measure({2, {}, {}}, {}, {});
  CHECK(none.interval.low == 0);
  CHECK(none.interval.high == 1);
}

TEST_CASE("Wilson's interval, against published values, and wider with noise") {
  const ShareInterval none = wilson_interval(0, 10);
  CHECK(none.low == 0);
  CHECK(none.high == doctest::Approx(0.2775).epsilon(1e-3));
  const ShareInterval half = wilson_interval(0.5, 100);
  CHECK(half.low == doctest::Approx(0.4038).epsilon(1e-3));
  CHECK(half.high == doctest::Approx(0.5962).epsilon(1e-3));
  ShareInterval before = half;
  for (const double noise : {0.01, 0.1, 0.3, 10.0}) {
    const ShareInterval wider = wilson_interval(0.5, 100, noise);
    CHECK(wider.low <= before.low);
    CHECK(wider.high >= before.high);
    before = wider;
  }
  CHECK(before.low == 0);
  CHECK(before.high == 1);
}
