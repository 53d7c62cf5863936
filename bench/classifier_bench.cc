// How fast learners are on a release: many rows in few distinct points. Prints one line per figure;
// LIBSVM gets every point as often as its weight says, as it knows no weights.
//
//   classifier_bench            all figures
//   classifier_bench FILE.csv   also writes the expanded rows, for bench/sklearn_tree.py

#include <fmt/format.h>
#include <libsvm/svm.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <vector>

#include "privpfc/classifiers/train.h"
#include "privpfc/schema/schema_reader.h"

namespace privpfc {
namespace {

constexpr std::size_t kPoints = 2000;
constexpr double kRows = 40'000;

const char* const kSchema = R"(
name: bench
label: {column: y, classes: [no, yes]}
attributes:
  age:    {type: integer, domain: [0, 99], levels: [20]}
  income: {type: real, domain: [0, 100], levels: [20]}
  hours:  {type: integer, domain: [0, 99], levels: [10]}
  gain:   {type: real, domain: [0, 1], levels: [4]}
  job:    {type: categorical, values: [a, b, c, d, e, f, g, h]}
  school: {type: categorical, values: [a, b, c, d, e, f]}
  family: {type: categorical, values: [a, b, c, d]}
  sex:    {type: boolean}
)";

class Random {
 public:
  double uniform() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t z = (state_ ^ (state_ >> 31)) * 0xBF58476D1CE4E5B9U;
    return static_cast<double>((z ^ (z >> 29)) >> 11) * 0x1p-53;
  }
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }

 private:
  std::uint64_t state_ = 20;
};

// 2,000 distinct points that weigh 40,000 in all, unevenly, with noisy labels: like the cells of a
// release and their counts per class.
Dataset make_points(const FeatureSpace& space, std::size_t points, double rows) {
  Random random;
  Dataset data;
  data.rows = empty_rows(space);
  data.rows.count = points;
  double left = rows;
  for (std::size_t i = 0; i < points; ++i) {
    double score = 0;
    for (std::size_t f = 0; f < space.features.size(); ++f) {
      const Feature& feature = space.features[f];
      if (feature.is_number()) {
        const double part = random.uniform();
        data.rows.columns[f].numbers.push_back(feature.low + part * (feature.high - feature.low));
        score += std::sin(4 * part + static_cast<double>(f));
      } else {
        const std::size_t code = random.below(feature.categories.size());
        data.rows.columns[f].codes.push_back(static_cast<std::uint16_t>(code));
        score += code % 2 == 0 ? 0.4 : -0.4;
      }
    }
    data.labels.push_back(score + 2 * random.uniform() - 1 > 1 ? 1 : 0);
    const double mean = left / static_cast<double>(points - i);
    const double weight =
        i + 1 == points ? left : std::fmax(1, std::floor(2 * mean * random.uniform() + 0.5));
    data.weights.push_back(weight);
    left -= weight;
  }
  return data;
}

Dataset expand(const Dataset& data) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < data.count(); ++i) {
    positions.insert(positions.end(), static_cast<std::size_t>(data.weights[i]), i);
  }
  Dataset rows = take_rows(data, positions);
  rows.weights.assign(rows.count(), 1);
  return rows;
}

// Processor time, which on one thread is what an idle machine would take.
double seconds(const std::function<void()>& work, int rounds = 1) {
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t start = std::clock();
    work();
    best = std::fmin(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

double libsvm_seconds(const FeatureSpace& space, const Dataset& rows, double gamma) {
  const InputMap map = InputMap::fit(space, rows, Scaling::kStandard);
  const InputVectors points = map.map(rows.rows, 0, rows.count());
  std::vector<std::vector<svm_node>> nodes(points.count);
  std::vector<svm_node*> pointers;
  std::vector<double> labels(rows.labels.begin(), rows.labels.end());
  for (std::size_t i = 0; i < points.count; ++i) {
    for (std::size_t k = 0; k < points.number_width; ++k) {
      nodes[i].push_back({static_cast<int>(k) + 1, points.number_row(i)[k]});
    }
    for (std::size_t k = 0; k < points.category_width; ++k) {
      nodes[i].push_back({static_cast<int>(points.one_row(i)[k]) + 1, 1});
    }
    nodes[i].push_back({-1, 0});
    pointers.push_back(nodes[i].data());
  }
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = RBF;
  parameter.gamma = gamma;
  parameter.C = 1;
  parameter.eps = 1e-3;
  parameter.cache_size = 256;
  parameter.shrinking = 1;
  svm_problem problem{static_cast<int>(points.count), labels.data(), pointers.data()};
  svm_set_print_string_function([](const char*) {});
  return seconds([&] {
    svm_model* model = svm_train(&problem, &parameter);
    svm_free_and_destroy_model(&model);
  });
}

void write_rows(const Dataset& rows, const char* path) {
  std::ofstream file(path);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    for (const FeatureColumn& column : rows.rows.columns) {
      if (column.codes.empty()) {
        file << column.numbers[i] << ',';
      } else {
        file << column.codes[i] << ',';
      }
    }
    file << int{rows.labels[i]} << '\n';
  }
}

int run(int argc, char** argv) {
  const Schema schema = *read_schema_text(kSchema).schema;
  const FeatureSpace space = *make_feature_space(schema, plain_views(schema));
  const Dataset data = make_points(space, kPoints, kRows);
  const Dataset rows = expand(data);
  if (argc > 1) write_rows(rows, argv[1]);
  fmt::print("{} rows in {} distinct points, one thread\n", rows.count(), data.count());

  TrainOptions options;
  options.set_threads(1);
  options.svm.probability_folds = 0;  // as LIBSVM by default
  options.svm.gamma = 1.0 / 8;
  const double svm = seconds([&] { (void)train(ModelKind::kSvm, space, rows, options); }, 3);
  fmt::print("svm (rbf), merging included     {:9.4f} s\n", svm);
  const double libsvm = libsvm_seconds(space, rows, options.svm.gamma);
  fmt::print("LIBSVM on the rows              {:9.4f} s   {:.0f} times as long\n", libsvm,
             libsvm / svm);

  options.tree.folds = 0;
  const double tree = seconds([&] { (void)train(ModelKind::kTree, space, rows, options); }, 5);
  fmt::print("tree, not pruned, merging incl. {:9.4f} s\n", tree);
  const double merged_tree = seconds(
      [&] { (void)train_merged(ModelKind::kTree, space, merge_equal_rows(data), options); }, 5);
  fmt::print("tree, on weighted points        {:9.4f} s\n", merged_tree);
  options.tree.folds = 10;
  fmt::print("tree, pruned by 10 folds        {:9.4f} s\n",
             seconds([&] { (void)train(ModelKind::kTree, space, rows, options); }, 3));
  for (const ModelKind kind : {ModelKind::kNaiveBayes, ModelKind::kLinearSvm, ModelKind::kLogistic,
                               ModelKind::kHistogram}) {
    fmt::print("{:<31} {:9.4f} s\n", model_name(kind),
               seconds([&] { (void)train(kind, space, rows, options); }, 3));
  }

  fmt::print("\nprediction, one thread\n");
  const Dataset fresh = make_points(space, 200'000, 200'000);
  for (const ModelKind kind :
       {ModelKind::kNaiveBayes, ModelKind::kSvm, ModelKind::kLinearSvm, ModelKind::kTree,
        ModelKind::kLogistic, ModelKind::kHistogram, ModelKind::kMajority}) {
    const auto model = train(kind, space, data, options);
    // The SVM looks at every support vector for every row.
    const Rows few =
        take_rows(fresh, std::vector<std::size_t>(kind == ModelKind::kSvm ? 4000 : 0)).rows;
    const Rows& asked = kind == ModelKind::kSvm ? few : fresh.rows;
    const double time = seconds([&] { (void)predict_rows(**model, asked, 2, 1); }, 3);
    fmt::print("{:<12} {:12.0f} rows per second\n", model_name(kind),
               static_cast<double>(asked.count) / time);
  }
  return 0;
}

}  // namespace
}  // namespace privpfc

int main(int argc, char** argv) {
  return privpfc::run(argc, argv);
}
