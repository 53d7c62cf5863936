#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "privpfc/experiments/experiment_table.h"
#include "privpfc/experiments/splits.h"
#include "privpfc/experiments/stopwatch.h"
#include "privpfc/privacy/epsilon.h"

namespace privpfc {

// What is promised about the result.
enum class Promise { kPure, kApproximate, kNone };
const char* promise_name(Promise promise);  // "pure", "approximate", "none"

// What people are told about a method.
struct MethodCard {
  std::string name;
  std::vector<std::string> classifiers;  // what it trains: one result for each
  std::string kind;                      // "publishes", "trains", "baseline"
  Promise promise = Promise::kNone;
  std::string guarantee;  // in words
  std::string summary;
  std::string source;
  bool uses_epsilon = true;  // otherwise one run without noise says all
  bool experiments_only = false;
};

// The outcome of one run on one split: by classifier.
struct Outcome {
  std::vector<double> errors;     // share of the test rows that are misclassified
  std::vector<double> seconds;    // training included, prediction not
  std::vector<PartTime> parts{};  // where the run's time went, prediction included
};

struct Trial {
  const ExperimentTable& table;
  const Split& split;
  std::optional<Epsilon> epsilon;    // none if the method uses none
  std::vector<std::uint64_t> seeds;  // one per repeat
};

// A method as an experiment sees it. A new one is a file of its own and a line in contenders.cc.
class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  virtual MethodCard card() const = 0;

  // One outcome per seed; depends on the trial alone. Called on several threads at once. An error
  // if the method cannot do this table.
  virtual Result<std::vector<Outcome>> run(const Trial& trial) const = 0;
};

// All of them, in the order in which people see them.
std::vector<std::unique_ptr<Contender>> all_contenders();

// Those with these names ("all": every one that is private or a baseline; what is for experiments
// only has to be named). An error (kUsage) for a name that there is not.
Result<std::vector<std::unique_ptr<Contender>>> find_contenders(
    const std::vector<std::string>& names);

}  // namespace privpfc
