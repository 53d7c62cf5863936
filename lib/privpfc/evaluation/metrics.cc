#include "privpfc/evaluation/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "privpfc/base/contract.h"

namespace privpfc {
namespace {

struct Truth {
  std::span<const std::uint8_t> labels;
  std::span<const double> weights;
};

// One class against the rest; none where one side has no rows.
std::optional<double> auc_of_class(const Predictions& predictions, const Truth& truth,
                                   std::size_t wanted) {
  std::vector<std::size_t> order(truth.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto score = [&](std::size_t i) { return predictions.row(i)[wanted]; };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return score(a) < score(b); });
  double inside = 0;
  double outside_below = 0;
  double won = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    double inside_here = 0;
    double outside_here = 0;
    std::size_t end = begin;
    for (; end < order.size() && score(order[end]) == score(order[begin]); ++end) {
      const bool is_inside = truth.labels[order[end]] == wanted;
      (is_inside ? inside_here : outside_here) += truth.weights[order[end]];
    }
    won += inside_here * (outside_below + outside_here / 2);
    inside += inside_here;
    outside_below += outside_here;
    begin = end;
  }
  if (!(inside > 0) || !(outside_below > 0)) return std::nullopt;
  return won / (inside * outside_below);
}

std::optional<double> mean_auc(const Predictions& predictions, const Truth& truth) {
  double sum = 0;
  std::size_t classes = 0;
  for (std::size_t c = 0; c < predictions.class_count; ++c) {
    if (const auto auc = auc_of_class(predictions, truth, c)) {
      sum += *auc;
      ++classes;
    }
  }
  if (classes == 0) return std::nullopt;
  return sum / static_cast<double>(classes);
}

void measure_recalls(const Predictions& predictions, const Truth& truth, Metrics& metrics) {
  std::vector<double> rows(predictions.class_count, 0);
  std::vector<double> right(predictions.class_count, 0);
  for (std::size_t i = 0; i < truth.labels.size(); ++i) {
    rows[truth.labels[i]] += truth.weights[i];
    if (predictions.labels[i] == truth.labels[i]) right[truth.labels[i]] += truth.weights[i];
  }
  double sum = 0;
  std::size_t classes = 0;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    metrics.recalls.emplace_back();
    if (!(rows[c] > 0)) continue;
    metrics.recalls[c] = right[c] / rows[c];
    sum += *metrics.recalls[c];
    ++classes;
  }
  if (classes > 0) metrics.balanced_error = 1 - sum / static_cast<double>(classes);
  metrics.rows = std::accumulate(rows.begin(), rows.end(), 0.0);
  if (metrics.rows > 0) {
    metrics.error = 1 - std::accumulate(right.begin(), right.end(), 0.0) / metrics.rows;
    metrics.error = std::clamp(metrics.error, 0.0, 1.0);
  }
}

void measure_calibration(const Predictions& predictions, const Truth& truth, Metrics& metrics) {
  double squares = 0;
  for (std::size_t i = 0; i < truth.labels.size(); ++i) {
    const double* probabilities = predictions.row(i);
    double distance = 0;
    for (std::size_t c = 0; c < predictions.class_count; ++c) {
      const double gap = probabilities[c] - (c == truth.labels[i] ? 1 : 0);
      distance += gap * gap;
    }
    squares += truth.weights[i] * distance;
    const double confidence = probabilities[predictions.labels[i]];
    const auto bin =
        std::min(static_cast<std::size_t>(confidence * kReliabilityBins), kReliabilityBins - 1);
    ReliabilityBin& into = metrics.reliability[bin];
    into.rows += truth.weights[i];
    into.confidence += truth.weights[i] * confidence;
    if (predictions.labels[i] == truth.labels[i]) into.accuracy += truth.weights[i];
  }
  if (!(metrics.rows > 0)) return;
  metrics.brier = squares / metrics.rows;
  for (ReliabilityBin& bin : metrics.reliability) {
    if (!(bin.rows > 0)) continue;
    bin.confidence /= bin.rows;
    bin.accuracy /= bin.rows;
    metrics.calibration_error += bin.rows * std::abs(bin.confidence - bin.accuracy) / metrics.rows;
  }
}

}  // namespace

Metrics measure(const Predictions& predictions, std::span<const std::uint8_t> labels,
                std::span<const double> weights) {
  require(predictions.labels.size() == labels.size() && weights.size() == labels.size(),
          "one prediction and weight per row");
  const Truth truth{labels, weights};
  Metrics metrics;
  measure_recalls(predictions, truth, metrics);
  metrics.interval = wilson_interval(metrics.error, metrics.rows);
  metrics.auc = mean_auc(predictions, truth);
  measure_calibration(predictions, truth, metrics);
  return metrics;
}

}  // namespace privpfc
