#include "privpfc/classifiers/linear_svm.h"

#include "classifiers/generated.h"

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

TEST_CASE("primal and dual objective meet: no better solution exists, weights included") {
  for (const double cost : {0.01, 1.0}) {
    CAPTURE(cost);
    const Problem problem = problem_of(merge_equal_rows(generated_data(2, 600, 51)), cost);
    const LinearMachine machine =
        solve_dual_coordinate_descent(problem.points, problem.dimension, problem.signs,
                                      problem.upper, {.tolerance = 1e-7, .most_rounds = 100'000});
    CHECK(machine.converged);
    double primal = squared(machine.weights) / 2;
    double dual = -squared(machine.weights) / 2;
    std::vector<double> weights(problem.dimension + 1, 0);
    for (std::size_t i = 0; i < problem.points.count; ++i) {
      const double multiplier = machine.multipliers[i];
      CHECK(multiplier >= 0);
      CHECK(multiplier <= problem.upper[i]);
      dual += multiplier;
      const double margin = problem.signs[i] * (dot(problem.points, i, machine.weights.data()) +
                                                machine.weights.back());
      primal += problem.upper[i] * std::fmax(0, 1 - margin);
      add_scaled(problem.points, i, problem.signs[i] * multiplier, weights.data());
      weights.back() += problem.signs[i] * multiplier;
    }
    CHECK(primal - dual < 1e-6 * primal);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      CHECK(machine.weights[k] == doctest::Approx(weights[k]).epsilon(1e-8));
    }
  }
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
  for (std::size_t k = 0; k < x.weights.size(); ++k) {
    CHECK(std::abs(x.weights[k] - y.weights[k]) < 1e-4);
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
