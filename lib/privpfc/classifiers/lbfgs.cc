#include "privpfc/classifiers/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace privpfc {

namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// A step taken and how the gradient changed on it: what is known of the curvature.
struct Memory {
  std::vector<double> step;
  std::vector<double> change;
  double product = 0;
};

// -(approximate inverse Hessian) * gradient, by the two-loop recursion.
std::vector<double> direction_of(const std::deque<Memory>& memories,
                                 const std::vector<double>& gradient) {
  std::vector<double> direction = gradient;
  std::vector<double> factors(memories.size());
  for (std::size_t m = memories.size(); m-- > 0;) {
    factors[m] = inner(memories[m].step, direction) / memories[m].product;
    for (std::size_t i = 0; i < direction.size(); ++i) {
      direction[i] -= factors[m] * memories[m].change[i];
    }
  }
  if (!memories.empty()) {
    const Memory& last = memories.back();
    const double scale = last.product / inner(last.change, last.change);
    for (double& entry : direction) entry *= scale;
  }
  for (std::size_t m = 0; m < memories.size(); ++m) {
    const double factor = factors[m] - inner(memories[m].change, direction) / memories[m].product;
    for (std::size_t i = 0; i < direction.size(); ++i) direction[i] += factor * memories[m].step[i];
  }
  for (double& entry : direction) entry = -entry;
  return direction;
}

}  // namespace

bool minimise_lbfgs(const SmoothFunction& function, std::vector<double>& x, double tolerance,
                    std::size_t most_steps) {
  constexpr std::size_t kMemories = 10;
  std::deque<Memory> memories;
  std::vector<double> gradient(x.size());
  double value = function(x, gradient);
  for (std::size_t step = 0; step < most_steps; ++step) {
    double largest = 0;
    for (const double entry : gradient) largest = std::max(largest, std::abs(entry));
    if (largest <= tolerance) return true;
    const std::vector<double> direction = direction_of(memories, gradient);
    const double slope = inner(gradient, direction);
    // Close to the bottom, values differ by rounding errors only.
    const double rounding = 1e-15 * std::abs(value);
    double length = memories.empty() ? std::min(1.0, 1 / std::sqrt(-slope)) : 1;
    std::vector<double> next(x.size());
    std::vector<double> next_gradient(x.size());
    double next_value = 0;
    bool lower = false;
    for (int halving = 0; halving < 50; ++halving, length /= 2) {
      for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[i] + length * direction[i];
      next_value = function(next, next_gradient);
      lower = next_value <= value + 1e-4 * length * slope + rounding;
      if (lower) break;
    }
    if (!lower) {
      // Rounding, or memories that mislead: once more along the gradient, then give up.
      if (memories.empty()) return false;
      memories.clear();
      continue;
    }
    Memory memory;
    memory.step.resize(x.size());
    memory.change.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      memory.step[i] = next[i] - x[i];
      memory.change[i] = next_gradient[i] - gradient[i];
    }
    memory.product = inner(memory.step, memory.change);
    if (memory.product > 1e-14 * inner(memory.change, memory.change)) {
      memories.push_back(std::move(memory));
      if (memories.size() > kMemories) memories.pop_front();
    }
    x = std::move(next);
    gradient = std::move(next_gradient);
    value = next_value;
  }
  return false;
}

}  // namespace privpfc
