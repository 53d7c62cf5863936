// How often a classifier that was trained directly under differential privacy is wrong on rows that
// it was not trained on, and how long training takes.
//
//   direct_accuracy DATA.csv SCHEMA.yaml METHOD[,METHOD...]|all RUNS EPSILON...
//
// Folds come from a last column `fold` (0 to 9) where there is one, and are every tenth row
// otherwise. An experiment on data that may be seen in full: it keeps no ledger.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "privpfc/direct/methods.h"
#include "privpfc/features/feature_reader.h"
#include "privpfc/io/table_reader.h"
#include "privpfc/privacy/kernel.h"
#include "privpfc/privacy/system_bits.h"
#include "privpfc/schema/schema_reader.h"

namespace {

using namespace privpfc;
using Clock = std::chrono::steady_clock;

constexpr int kFolds = 10;

class ExperimentBudget : BudgetSource {
 public:
  static Budget of(Epsilon epsilon, Delta delta) { return issue(epsilon, delta); }
};

Result<Dataset> read_rows(const std::string& path, const Schema& schema,
                          const FeatureSpace& space) {
  PRIVPFC_ASSIGN(TableReader reader, TableReader::open({path}, schema.csv));
  PRIVPFC_ASSIGN(
      const FeatureReader features,
      FeatureReader::create(schema, space, reader.columns(), {.ignore_extra_columns = true}));
  return read_dataset(reader, features, 1);
}

std::vector<int> read_folds(const std::string& path, std::size_t rows) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const bool has_folds = line.ends_with(",fold");
  std::vector<int> folds;
  for (std::size_t row = 0; row < rows; ++row) {
    if (has_folds) std::getline(file, line);
    folds.push_back(has_folds ? std::atoi(line.c_str() + line.rfind(',') + 1)
                              : static_cast<int>(row % kFolds));
  }
  return folds;
}

Dataset part(const Dataset& data, const std::vector<int>& folds, int fold, bool of_fold) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < folds.size(); ++row) {
    if ((folds[row] == fold) == of_fold) rows.push_back(row);
  }
  return take_rows(data, rows);
}

double error_of(const Model& model, const Dataset& test, std::size_t classes) {
  const Predictions said = predict_rows(model, test.rows, classes, 1);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < test.count(); ++i) wrong += said.labels[i] != test.labels[i] ? 1 : 0;
  return static_cast<double>(wrong) / static_cast<double>(test.count());
}

struct Measured {
  double error = 0;
  double deviation = 0;
  double seconds = 0;  // of one training
};

Result<Measured> measure(const DirectMethod& method, const std::string& path, const Schema& schema,
                         Epsilon epsilon, int runs) {
  const std::vector<AttributeView> views = method.views(schema, epsilon);
  PRIVPFC_ASSIGN(const FeatureSpace space, make_feature_space(schema, views));
  const DirectSetting setting{schema, space};
  PRIVPFC_TRY(method.check(setting, epsilon));
  PRIVPFC_ASSIGN(const Dataset data, read_rows(path, schema, space));
  const std::vector<int> folds = read_folds(path, data.count());
  std::vector<double> errors;
  Measured measured;
  for (int fold = 0; fold < kFolds; ++fold) {
    const Private<Dataset> training(part(data, folds, fold, false));
    const Dataset test = part(data, folds, fold, true);
    for (int run = 0; run < runs; ++run) {
      SystemBits bits;
      Kernel kernel(bits);
      const auto start = Clock::now();
      const Released<std::unique_ptr<Model>> model =
          method.train(training, setting, kernel, ExperimentBudget::of(epsilon, method.delta()));
      measured.seconds += std::chrono::duration<double>(Clock::now() - start).count();
      errors.push_back(error_of(*model.value(), test, space.class_count()));
    }
  }
  const auto count = static_cast<double>(errors.size());
  for (const double error : errors) measured.error += error / count;
  for (const double error : errors) {
    measured.deviation += (error - measured.error) * (error - measured.error) / (count - 1);
  }
  measured.deviation = std::sqrt(measured.deviation);
  measured.seconds /= count;
  return measured;
}

Status run(const std::vector<std::string>& arguments) {
  PRIVPFC_ASSIGN(const Schema schema, load_schema(arguments[1]));
  const std::string wanted = "," + arguments[2] + ",";
  const int runs = std::atoi(arguments[3].c_str());
  fmt::print("{:<28} {:>8}  {:>8}  {:>8}  {:>8}\n", "method", "epsilon", "error", "sd", "seconds");
  const DirectOptions options;
  for (const std::unique_ptr<DirectMethod>& method : direct_methods(options)) {
    if (wanted != ",all," && wanted.find(fmt::format(",{},", method->name())) == wanted.npos) {
      continue;
    }
    for (std::size_t i = 4; i < arguments.size(); ++i) {
      PRIVPFC_ASSIGN(const Epsilon epsilon, Epsilon::parse(arguments[i]));
      PRIVPFC_ASSIGN(const Measured measured,
                     measure(*method, arguments[0], schema, epsilon, runs));
      fmt::print("{:<28} {:>8}  {:>8.4f}  {:>8.4f}  {:>8.3f}\n", method->name(), arguments[i],
                 measured.error, measured.deviation, measured.seconds);
      std::fflush(stdout);
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    fmt::print(stderr, "usage: direct_accuracy DATA.csv SCHEMA.yaml METHODS RUNS EPSILON...\n");
    return 2;
  }
  const Status status = run({argv + 1, argv + argc});
  if (!status.ok()) fmt::print(stderr, "{}\n", status.error().message);
  return status.ok() ? 0 : 1;
}
