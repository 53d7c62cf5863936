#include "privpfc/classifiers/smo.h"

#include "classifiers/generated.h"
#include "classifiers/libsvm.h"

using namespace privpfc;
using namespace privpfc::testing;

namespace {

struct Problem {
  InputVectors points;
  std::vector<double> signs;
  std::vector<double> weights;
};

Problem problem_of(const Dataset& data) {
  const FeatureSpace space = generated_space(2);
  Problem problem;
  problem.points = InputMap::fit(space, data, Scaling::kStandard).map(data.rows, 0, data.count());
  for (const std::uint8_t label : data.labels) problem.signs.push_back(label == 0 ? 1 : -1);
  problem.weights = data.weights;
  return problem;
}

SmoSolution solve(const Problem& problem, const KernelFunction& kernel, double cost,
                  SmoOptions options) {
  std::vector<double> upper = problem.weights;
  for (double& bound : upper) bound *= cost;
  return solve_smo(KernelPoints(problem.points, kernel), problem.signs, upper, options);
}

const std::vector<KernelFunction> kKernels = {
    {KernelFunction::Kind::kRbf, 0.3, 0, 3},        {KernelFunction::Kind::kRbf, 2.0, 0, 3},
    {KernelFunction::Kind::kLinear, 1, 0, 3},       {KernelFunction::Kind::kPolynomial, 0.2, 1, 3},
    {KernelFunction::Kind::kPolynomial, 0.3, 0, 2},
};

}  // namespace

TEST_CASE("the objective is LIBSVM's on the copied rows, within 1e-6, for every kernel") {
  for (const double cost : {0.1, 1.0, 20.0}) {
    for (std::size_t k = 0; k < kKernels.size(); ++k) {
      CAPTURE(cost);
      CAPTURE(k);
      const Problem problem = problem_of(merge_equal_rows(generated_data(2, 300, 10 + k)));
      const SmoSolution ours = solve(problem, kKernels[k], cost, {.tolerance = 1e-6});
      CHECK(ours.converged);
      const Libsvm theirs(problem.points, problem.signs, problem.weights, kKernels[k], cost, 1e-6);
      CHECK(theirs.rows() > 500);
      CHECK(std::abs(ours.objective - theirs.objective()) < 1e-6 * std::abs(theirs.objective()));
    }
  }
}

TEST_CASE("the solution keeps its constraints, and its objective is what it says") {
  const Problem problem = problem_of(merge_equal_rows(generated_data(2, 400, 21)));
  const KernelFunction& kernel = kKernels[0];
  const SmoSolution solution = solve(problem, kernel, 2, {.tolerance = 1e-8});
  const KernelPoints kernel_points(problem.points, kernel);
  double balance = 0;
  double objective = 0;
  for (std::size_t i = 0; i < problem.points.count; ++i) {
    CHECK(solution.multipliers[i] >= 0);
    CHECK(solution.multipliers[i] <= 2 * problem.weights[i]);
    balance += problem.signs[i] * solution.multipliers[i];
    objective -= solution.multipliers[i];
    for (std::size_t j = 0; j < problem.points.count; ++j) {
      objective += solution.multipliers[i] * solution.multipliers[j] * problem.signs[i] *
                   problem.signs[j] * kernel_points.value(i, j) / 2;
    }
  }
  CHECK(std::abs(balance) < 1e-9);
  CHECK(solution.objective == doctest::Approx(objective).epsilon(1e-9));
}

TEST_CASE("shrinking and a cache of two rows change nothing but the time") {
  const Problem problem = problem_of(merge_equal_rows(generated_data(2, 1500, 22)));
  const SmoSolution plain = solve(problem, kKernels[0], 5, {.tolerance = 1e-7, .shrinking = false});
  const SmoSolution shrunk = solve(problem, kKernels[0], 5, {.tolerance = 1e-7});
  const SmoSolution tight = solve(problem, kKernels[0], 5, {.tolerance = 1e-7, .cache_bytes = 0});
  CHECK(plain.steps > 2000);  // so that shrinking has had its turn
  CHECK(shrunk.objective == doctest::Approx(plain.objective).epsilon(1e-10));
  CHECK(shrunk.bias == doctest::Approx(plain.bias).epsilon(1e-5));
  CHECK(tight.objective == shrunk.objective);
  CHECK(tight.multipliers == shrunk.multipliers);
}

TEST_CASE("points of one class only are decided by the bias") {
  Problem problem = problem_of(merge_equal_rows(generated_data(2, 50, 23)));
  for (double& sign : problem.signs) sign = -1;
  const SmoSolution solution = solve(problem, kKernels[0], 1, {});
  CHECK(solution.bias == -1);
  for (const double multiplier : solution.multipliers) CHECK(multiplier == 0);
}
