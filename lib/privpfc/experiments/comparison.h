#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "privpfc/experiments/contender.h"
#include "privpfc/experiments/journal.h"

namespace privpfc {

struct ComparisonOptions {
  std::vector<Epsilon> epsilons;
  std::size_t repeats = 10;
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

// One line of the results.
struct ComparisonRow {
  std::string method;
  std::string classifier;
  std::optional<Epsilon> epsilon;  // none: the method uses none
  std::size_t fold = 0;
  std::size_t repeat = 0;
  double error = 0;
  double seconds = 0;               // of one core
  std::optional<double> megabytes;  // of all repeats and classifiers on the fold (MemoryWatch)
};

// Where a method's time went, in all.
struct MethodTimes {
  std::string method;
  std::vector<PartTime> parts;
};

// What a method could not do, in words.
struct ComparisonGap {
  std::string method;
  std::optional<Epsilon> epsilon;
  std::string problem;
};

struct ComparisonResults {
  std::vector<MethodCard> methods;
  std::vector<ComparisonRow> rows;  // by method, epsilon, classifier, fold, repeat
  std::vector<ComparisonGap> gaps;
  std::vector<MethodTimes> times;  // by method
};

// Told after each finished part; may be called from any thread, one call at a time.
using ComparisonProgress = std::function<void(std::size_t done, std::size_t of)>;

// Every method on every split at every epsilon. The errors depend on the table, the splits, the
// epsilons, the repeats and the seed alone, not on the number of threads; and a method's do not
// depend on which others take part. What the journal holds already is not done again.
Result<ComparisonResults> compare_methods(const ExperimentTable& table,
                                          const std::vector<Split>& splits,
                                          const std::vector<std::unique_ptr<Contender>>& contenders,
                                          const ComparisonOptions& options, Journal& journal,
                                          const ComparisonProgress& progress);

}  // namespace privpfc
