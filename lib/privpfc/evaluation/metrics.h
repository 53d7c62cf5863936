#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "privpfc/classifiers/model.h"
#include "privpfc/evaluation/interval.h"

namespace privpfc {

// The predictions whose confidence lies in one tenth.
struct ReliabilityBin {
  double rows = 0;
  double confidence = 0;  // mean probability of the predicted class
  double accuracy = 0;    // how many of them were right
};
inline constexpr std::size_t kReliabilityBins = 10;

// How good predictions are. Everything is weighted by the rows' weights.
struct Metrics {
  double rows = 0;
  double error = 0;                            // misclassified, as a share of all rows
  ShareInterval interval;                      // of the error: Wilson, 95 %
  double balanced_error = 0;                   // 1 - the mean recall of the classes that occur
  std::vector<std::optional<double>> recalls;  // by class; none for a class that does not occur
  // The chance that a row of the class is given a larger probability of it than a row that is not,
  // ties counting half: the mean over the classes, each against the rest. For two classes that is
  // the usual area under the ROC curve. None where only one class occurs.
  std::optional<double> auc;
  double brier = 0;              // mean sum over the classes of (probability - truth)^2: 0 to 2
  double calibration_error = 0;  // expected: mean |confidence - accuracy| over the tenths, by rows
  std::array<ReliabilityBin, kReliabilityBins> reliability{};
};

// Requires one prediction, label and weight per row, and labels below the class count. Without
// rows, the error and all else is 0 and the interval everything.
Metrics measure(const Predictions& predictions, std::span<const std::uint8_t> labels,
                std::span<const double> weights);

}  // namespace privpfc
