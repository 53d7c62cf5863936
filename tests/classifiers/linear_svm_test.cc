#include "privpfc/classifiers/linear_svm.h"

#include "classifiers/generated.h"
#include "classifiers/libsvm.h"
#include "privpfc/classifiers/interior_point.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

struct Problem {
  InputVectors points;
  std::size_t dimension = 0;
  std::vector<double> signs;
  std::vector<double> upper;
};

Problem problem_of(const Dataset& data, double cost) {
  const InputMap map = InputMap::fit(generated_space(2), data, Scaling::kStandard);
  Problem problem{map.map(data.rows, 0, data.count()), map.dimension(), {}, {}};
  for (std::size_t i = 0; i < data.count(); ++i) {
    problem.signs.push_back(data.labels[i] == 0 ? 1 : -1);
    problem.upper.push_back(cost * data.weights[i]);
  }
  return problem;
}

double squared(const std::vector<double>& v) {
  double sum = 0;
  for (const double entry : v) sum += entry * entry;
  return sum;
}

}  // namespace

namespace {

struct Objectives {
  double primal = 0;
  double dual = 0;
};

// Also that the multipliers keep their bounds, and that the weights are theirs.
Objectives objectives_of(const Problem& problem, const LinearMachine& machine) {
  Objectives result{squared(machine.weights) / 2, -squared(machine.weights) / 2};
  std::vector<double> weights(problem.dimension + 1, 0);
  for (std::size_t i = 0; i < problem.points.count; ++i) {
    const double multiplier = machine.multipliers[i];
    CHECK(multiplier >= 0);
    CHECK(multiplier <= problem.upper[i]);
    result.dual += multiplier;
    const double margin = problem.signs[i] *
                          (dot(problem.points, i, machine.weights.data()) + machine.weights.back());
    result.primal += problem.upper[i] * std::fmax(0, 1 - margin);
    add_scaled(problem.points, i, problem.signs[i] * multiplier, weights.data());
    weights.back() += problem.signs[i] * multiplier;
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    CHECK(machine.weights[k] == doctest::Approx(weights[k]).epsilon(1e-8));
  }
  return result;
}

LinearMachine interior_point(const Problem& problem) {
  return solve_interior_point(problem.points, problem.dimension, problem.signs, problem.upper);
}

}  // namespace

TEST_CASE("coordinate descent: primal and dual objective meet, so no better solution exists") {
  for (const double cost : {0.01, 1.0}) {
    CAPTURE(cost);
    const Problem problem = problem_of(merge_equal_rows(generated_data(2, 600, 51)), cost);
    const LinearMachine machine =
        solve_dual_coordinate_descent(problem.points, problem.dimension, problem.signs,
                                      problem.upper, {.tolerance = 1e-7, .most_rounds = 100'000});
    CHECK(machine.converged);
    const Objectives found = objectives_of(problem, machine);
    CHECK(found.primal - found.dual < 1e-6 * found.primal);
  }
}

TEST_CASE("interior points: primal and dual objective meet, whatever the cost and the weights") {
  Random random(61);
  for (const double cost : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    for (const bool uneven : {false, true}) {
      if (uneven && cost > 1) continue;  // sums of 1e11 and more: beyond what rounding allows
      CAPTURE(cost);
      CAPTURE(uneven);
      Problem problem = problem_of(merge_equal_rows(generated_data(2, 5000, 62)), cost);
      if (uneven) {
        // From none to a million rows in a cell.
        for (double& upper : problem.upper)
          upper *= std::floor(std::exp(14 * random.uniform()) - 1);
      }
      const LinearMachine machine = interior_point(problem);
      CHECK(machine.converged);
      const Objectives found = objectives_of(problem, machine);
      CHECK(found.primal - found.dual <= 1e-7 * found.primal);
      CHECK(found.primal - found.dual >= -1e-9 * found.primal);
    }
  }
}

TEST_CASE("the objective is LIBSVM's within 1e-6, and the predictions are the same") {
  // LIBSVM does not penalise the bias, and has no weights. It solves the same problem when the bias
  // is an input and every point has a mirror image of the other class, each at half the cost: then
  // its own bias is 0.
  for (const double cost : {0.1, 2.0}) {
    CAPTURE(cost);
    const Dataset data = merge_equal_rows(generated_data(2, 400, 63));
    const Problem problem = problem_of(data, cost);
    InputVectors mirrored;
    mirrored.number_width = problem.dimension + 1;
    std::vector<double> labels;
    std::vector<double> weights;
    for (std::size_t i = 0; i < problem.points.count; ++i) {
      std::vector<double> dense(mirrored.number_width, 0);
      add_scaled(problem.points, i, 1, dense.data());
      dense.back() = 1;
      for (const double side : {1.0, -1.0}) {
        for (const double entry : dense) mirrored.numbers.push_back(side * entry);
        labels.push_back(side * problem.signs[i]);
        weights.push_back(data.weights[i]);
        ++mirrored.count;
      }
    }
    const Libsvm theirs(mirrored, labels, weights, {.kind = KernelFunction::Kind::kLinear},
                        cost / 2, 1e-8);
    const LinearMachine ours = interior_point(problem);
    const Objectives found = objectives_of(problem, ours);
    // LIBSVM minimises the dual with the other sign.
    CHECK(std::abs(found.dual + theirs.objective()) < 1e-6 * found.dual);
    std::size_t clear = 0;
    for (std::size_t i = 0; i < problem.points.count; ++i) {
      const double decision = dot(problem.points, i, ours.weights.data()) + ours.weights.back();
      if (std::abs(decision) < 1e-3) continue;
      CHECK(theirs.predict(mirrored, 2 * i) == (decision > 0 ? 1 : -1));
      ++clear;
    }
    CHECK(clear > problem.points.count * 9 / 10);
  }
}

TEST_CASE("a linear SVM converges with its defaults where coordinate descent does not") {
  const FeatureSpace space = generated_space(3);
  Dataset data = merge_equal_rows(generated_data(3, 6000, 64));
  for (double& weight : data.weights) weight *= 50;
  const auto model = train_linear_svm(space, data, {});
  REQUIRE(model.ok());
  CHECK((*model)->converged());
  const auto by_coordinates = train_linear_svm(space, data, {.most_dimensions = 0});
  REQUIRE(by_coordinates.ok());
  CHECK_FALSE((*by_coordinates)->converged());
}

TEST_CASE("copies of rows, not merged, give the same weights to 1e-4") {
  // The dual has many solutions for copies, the primal one only; 1e-4 is what the tolerance gives.
  const Dataset data = merge_equal_rows(generated_data(2, 200, 52));
  const Dataset copies = copies_of(data);
  // The same scaling for both, so that the solver alone is compared.
  const LinearSvmOptions options{.tolerance = 1e-8, .most_rounds = 200'000};
  const Problem a = problem_of(data, 0.5);
  const Problem b = problem_of(copies, 0.5);
  const LinearMachine x =
      solve_dual_coordinate_descent(a.points, a.dimension, a.signs, a.upper, options);
  const LinearMachine y =
      solve_dual_coordinate_descent(b.points, b.dimension, b.signs, b.upper, options);
  const LinearMachine inner = interior_point(a);
  const LinearMachine inner_copies = interior_point(b);
  for (std::size_t k = 0; k < x.weights.size(); ++k) {
    CHECK(std::abs(x.weights[k] - y.weights[k]) < 1e-4);
    CHECK(std::abs(x.weights[k] - inner.weights[k]) < 1e-4);
    CHECK(std::abs(x.weights[k] - inner_copies.weights[k]) < 1e-4);
  }
}

TEST_CASE("more classes: most fresh rows are told apart") {
  const FeatureSpace space = generated_space(3);
  const auto model = train_linear_svm(space, merge_equal_rows(generated_data(3, 1500, 53)), {});
  REQUIRE(model.ok());
  const Dataset fresh = generated_data(3, 1000, 54, false);
  const Predictions out = predict_rows(**model, fresh.rows, 3, 2);
  std::size_t right = 0;
  for (std::size_t i = 0; i < fresh.count(); ++i) right += out.labels[i] == fresh.labels[i] ? 1 : 0;
  CHECK(right > 780);
}
