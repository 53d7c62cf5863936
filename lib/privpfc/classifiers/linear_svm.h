#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "privpfc/classifiers/input_vectors.h"
#include "privpfc/classifiers/model.h"

namespace privpfc {

struct LinearSvmOptions {
  double cost = 1;  // C
  Scaling scaling = Scaling::kStandard;
  // Beyond this many inputs an interior-point step is too expensive: coordinate descent instead.
  std::size_t most_dimensions = 500;
  double tolerance = 0.01;         // of coordinate descent: spread of the projected gradient
  std::size_t most_rounds = 1000;  // of coordinate descent: passes over the data
  std::size_t probability_folds = 3;
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

// w and b of the smallest (|w|^2 + b^2) / 2 + sum_i upper_i max(0, 1 - y_i (w'x_i + b)).
struct LinearMachine {
  std::vector<double> weights;  // by dimension, then the bias
  std::vector<double> multipliers;
  bool converged = true;
};

// Dual coordinate descent (Hsieh et al. 2008). The bias is the weight of one more input that is
// always 1, so that there is no constraint that ties the multipliers together: each can be set to
// its optimum on its own, and time is linear in the number of points.
LinearMachine solve_dual_coordinate_descent(const InputVectors& points, std::size_t dimension,
                                            std::span<const double> signs,
                                            std::span<const double> upper,
                                            const LinearSvmOptions& options);

// A linear SVM for many points, one against one, by solve_interior_point() where there are not too
// many inputs.
Result<std::unique_ptr<Model>> train_linear_svm(const FeatureSpace& space, const Dataset& data,
                                                const LinearSvmOptions& options);
// A model in which the class with the largest weights'x wins. `weights`: by class, one per category
// of each feature in turn, then the bias. Requires: a space without numbers.
std::unique_ptr<Model> make_linear_svm(const FeatureSpace& space,
                                       const std::vector<std::vector<double>>& weights);
Result<std::unique_ptr<Model>> read_linear_svm(const FeatureSpace& space,
                                               std::string_view parameters);

}  // namespace privpfc
