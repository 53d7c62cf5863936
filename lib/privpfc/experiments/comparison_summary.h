#pragma once

#include <optional>
#include <string>
#include <vector>

#include "privpfc/experiments/comparison.h"
#include "privpfc/experiments/statistics.h"

namespace privpfc {

// All runs of one method and classifier at one epsilon.
struct ComparisonLine {
  std::string method;
  std::string classifier;
  std::optional<Epsilon> epsilon;
  ErrorSummary error;
  double seconds = 0;         // of the longest repeat of each fold, which did what the others share
  FoldErrors errors;          // by fold, then repeat
  std::vector<double> folds;  // the means of the folds

  // "privpfc tree"; the classifier is left out where the method has only one.
  std::string label;
};

std::vector<ComparisonLine> summarise(const ComparisonResults& results);

// How two lines differ, fold by fold, over the epsilons that both have (or their one line without
// epsilon).
struct PairedComparison {
  std::string first;
  std::string second;
  double difference = 0;  // the mean of first - second, in error
  SignedRankTest test;
};

// Every pair of labels among the lines at this epsilon (and those without one).
std::vector<PairedComparison> compare_pairs(const std::vector<ComparisonLine>& lines,
                                            Epsilon epsilon);

// What the experiment was, for the files that tell about it.
struct ComparisonSetting {
  std::string schema_name;
  std::string schema_hash;
  std::string table_hash;
  std::uint64_t rows = 0;
  std::size_t folds = 0;
  std::string fold_column;
  ComparisonOptions options;
  std::string version;
  double reading_seconds = 0;  // of the processor, for the whole table
};

// `{..., "results": [{method, classifier, epsilon, error: {mean, sd, low, high, ...}, seconds}]}`.
std::string comparison_json(const ComparisonResults& results,
                            const std::vector<ComparisonLine>& lines,
                            const ComparisonSetting& setting);

// A short table for the terminal: a line for each label, a column for each epsilon.
std::string comparison_text(const std::vector<ComparisonLine>& lines,
                            const std::vector<ComparisonGap>& gaps,
                            const std::vector<Epsilon>& epsilons);

}  // namespace privpfc
