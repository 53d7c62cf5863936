// Holds our SVM to LIBSVM on any table: the dual objective of every pair of classes
// within 1e-6, and the same predictions on rows that neither has seen. We get weighted points,
// LIBSVM every row. Fails if they differ.
//
//   libsvm_agreement DATA SCHEMA.yaml [ROWS]
//
// ROWS: take so many only, evenly spread over the table. One row in five is held out. Numbers are
// seen as they are, and then as bins, where many rows are equal.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "classifiers/libsvm.h"
#include "privpfc/classifiers/smo.h"
#include "privpfc/classifiers/svm.h"
#include "privpfc/features/feature_reader.h"
#include "privpfc/schema/schema_reader.h"

namespace privpfc::testing {
namespace {

constexpr double kTolerance = 1e-6;  // of both solvers
constexpr double kAgreement = 1e-6;  // of the objectives, relative
constexpr double kBorder = 1e-3;     // a decision nearer to 0 may go either way
constexpr std::size_t kHeldOut = 5;

struct Problem {
  FeatureSpace space;
  Dataset training;  // merged, and by class: LIBSVM breaks ties for the class that it saw first
  Dataset test;
};

Result<Problem> read_problem(const std::string& path, const Schema& schema, std::size_t most,
                             bool as_bins) {
  std::vector<AttributeView> views = plain_views(schema);
  if (as_bins) {
    for (AttributeView& view : views) view.as_number = false;
  }
  Problem problem;
  PRIVPFC_ASSIGN(problem.space, make_feature_space(schema, views));
  PRIVPFC_ASSIGN(TableReader reader, TableReader::open({path}, schema.csv));
  PRIVPFC_ASSIGN(const FeatureReader features,
                 FeatureReader::create(schema, problem.space, reader.columns(),
                                       {.ignore_extra_columns = true}));
  PRIVPFC_ASSIGN(const Dataset data, read_dataset(reader, features, 1));
  const std::size_t taken = std::min(most, data.count());
  std::vector<std::size_t> training;
  std::vector<std::size_t> test;
  for (std::size_t i = 0; i < taken; ++i) {
    (i % kHeldOut == 0 ? test : training).push_back(i * data.count() / taken);
  }
  const Dataset merged = merge_equal_rows(take_rows(data, training));
  std::vector<std::size_t> order(merged.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return merged.labels[a] < merged.labels[b];
  });
  problem.training = take_rows(merged, order);
  problem.test = take_rows(data, test);
  return problem;
}

// The largest relative difference of the objectives over all pairs of classes that have rows;
// infinite if there are none, since then nothing has been compared.
double compare_objectives(const InputVectors& points, const Dataset& data, std::size_t classes,
                          const KernelFunction& kernel) {
  double largest = -1;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) {
      std::vector<std::size_t> positions;
      std::vector<double> signs;
      std::vector<double> weights;
      for (std::size_t i = 0; i < data.count(); ++i) {
        if (data.labels[i] != a && data.labels[i] != b) continue;
        positions.push_back(i);
        signs.push_back(data.labels[i] == a ? 1 : -1);
        weights.push_back(data.weights[i]);
      }
      if (signs.empty() || signs.front() == signs.back()) continue;
      const InputVectors own = take_points(points, positions);
      const SmoSolution ours =
          solve_smo(KernelPoints(own, kernel), signs, weights, {.tolerance = kTolerance});
      const double theirs = Libsvm(own, signs, weights, kernel, 1, kTolerance).objective();
      largest = std::max(largest, std::abs(ours.objective - theirs) / std::abs(theirs));
    }
  }
  return largest < 0 ? std::numeric_limits<double>::infinity() : largest;
}

struct Disagreement {
  std::size_t rows = 0;
  std::size_t near_border = 0;  // of them
};

Result<Disagreement> compare_predictions(const Problem& problem, const InputMap& map,
                                         const InputVectors& points, const KernelFunction& kernel) {
  SvmOptions options{.kernel = kernel.kind,
                     .gamma = kernel.gamma,
                     .offset = kernel.offset,
                     .degree = kernel.degree};
  options.smo.tolerance = kTolerance;
  options.probability_folds = 0;
  options.threads = 1;
  PRIVPFC_ASSIGN(const std::unique_ptr<Model> model,
                 train_svm(problem.space, problem.training, options));
  const Predictions ours = predict_rows(*model, problem.test.rows, problem.space.class_count(), 1);
  const Dataset& data = problem.training;
  const Libsvm theirs(points, {data.labels.begin(), data.labels.end()}, data.weights, kernel, 1,
                      kTolerance);
  const InputVectors fresh = map.map(problem.test.rows, 0, problem.test.count());
  Disagreement found;
  for (std::size_t i = 0; i < fresh.count; ++i) {
    if (ours.labels[i] == theirs.predict(fresh, i)) continue;
    ++found.rows;
    const std::vector<double> decisions = theirs.decisions(fresh, i);
    found.near_border += std::any_of(decisions.begin(), decisions.end(),
                                     [](double decision) { return std::abs(decision) < kBorder; });
  }
  return found;
}

Result<bool> agree(const Problem& problem) {
  const InputMap map = InputMap::fit(problem.space, problem.training, Scaling::kStandard);
  const InputVectors points = map.map(problem.training.rows, 0, problem.training.count());
  const double gamma = 1 / total_variance(points, map.dimension(), problem.training.weights);
  bool all = true;
  for (const auto& [name, kernel] :
       {std::pair{"rbf", KernelFunction{KernelFunction::Kind::kRbf, gamma, 0, 3}},
        std::pair{"linear", KernelFunction{KernelFunction::Kind::kLinear, 1, 0, 3}},
        std::pair{"polynomial", KernelFunction{KernelFunction::Kind::kPolynomial, gamma, 1, 3}}}) {
    const double difference =
        compare_objectives(points, problem.training, problem.space.class_count(), kernel);
    PRIVPFC_ASSIGN(const Disagreement found, compare_predictions(problem, map, points, kernel));
    fmt::print("  {:<10}  objective {:7.1e}  {} of {} predictions differ, {} on the border\n", name,
               difference, found.rows, problem.test.count(), found.near_border);
    std::fflush(stdout);
    all = all && difference < kAgreement && found.rows == found.near_border;
  }
  return all;
}

Result<bool> run(const std::string& path, const std::string& schema_path, std::size_t most) {
  PRIVPFC_ASSIGN(const Schema schema, load_schema(schema_path));
  bool all = true;
  for (const bool as_bins : {false, true}) {
    PRIVPFC_ASSIGN(const Problem problem, read_problem(path, schema, most, as_bins));
    const bool has_numbers =
        std::any_of(problem.space.features.begin(), problem.space.features.end(),
                    [](const Feature& f) { return f.is_number(); });
    if (!as_bins && !has_numbers) continue;  // the same problem twice
    double rows = 0;
    for (const double weight : problem.training.weights) rows += weight;
    fmt::print("{}, {}: {} rows, {} points, {} classes\n", schema.name,
               as_bins ? "categories and bins" : "with numbers", rows, problem.training.count(),
               problem.space.class_count());
    PRIVPFC_ASSIGN(const bool same, agree(problem));
    all = all && same;
  }
  return all;
}

}  // namespace
}  // namespace privpfc::testing

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::size_t most = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : SIZE_MAX;
  const auto same = privpfc::testing::run(argv[1], argv[2], most);
  if (!same) fmt::print(stderr, "{}\n", same.error().message);
  return same && *same ? 0 : 1;
}
