#include "privpfc/pipeline/plan.h"

#include <cmath>

#include "privpfc/pipeline/person_epsilon.h"

namespace privpfc {
namespace {

// The smallest margin that the noise turns round with a probability of at most 5 %: the flip
// probability is e^(-epsilon x) (1 + x tanh(epsilon / 2)) / 2.
double visible_margin(double epsilon) {
  const auto flips = [&](double x) {
    return std::exp(-epsilon * x) * (1 + x * std::tanh(epsilon / 2)) / 2;
  };
  double low = 0;
  double high = 1;
  while (flips(high) > 0.05) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (flips(middle) > 0.05 ? low : high) = middle;
  }
  return std::ceil(high);
}

}  // namespace

Result<ReleasePlan> plan_release(const Schema& schema, std::int64_t rows, Epsilon epsilon,
                                 const Shares& shares, const PoolLimits& limits) {
  PRIVPFC_TRY(check_shares(shares));
  ReleasePlan plan;
  plan.epsilon = epsilon;
  PRIVPFC_ASSIGN(plan.row_epsilon, row_epsilon(schema, epsilon));
  PRIVPFC_ASSIGN(BudgetPlan budget, plan_budget(plan.row_epsilon, shares, false));
  plan.most_cells = cell_threshold(rows, budget.histogram, limits);
  const GridSpace space(schema);
  if (const auto pool = fitting_pool(space, plan.most_cells, rows, limits)) {
    plan.pool_size = pool->size();
  } else {
    PRIVPFC_ASSIGN(budget, plan_budget(plan.row_epsilon, shares, true));
    plan.most_cells = cell_threshold(rows, budget.histogram, limits);
    plan.feature_picks = feature_picks(space, plan.most_cells);
  }
  const double noise =
      static_cast<double>(budget.histogram.units()) / static_cast<double>(Epsilon::kUnitsPerOne);
  const double alpha = std::exp(-noise);
  plan.noise_per_count = std::sqrt(2 * alpha) / -std::expm1(-noise);
  plan.visible_rows = visible_margin(noise);
  plan.visible_share = plan.visible_rows / static_cast<double>(rows);
  return plan;
}

}  // namespace privpfc
