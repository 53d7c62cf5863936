#include "privpfc/direct/newton.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/seeded_bits.h"

using namespace privpfc;

namespace {

double fraction(SeededBits& bits) {
  return static_cast<double>(bits.bits(20)) / 0x1p20;
}

LabelledPoints random_points(SeededBits& bits, std::size_t dimension, std::size_t count) {
  LabelledPoints points(dimension, static_cast<double>(dimension));
  std::vector<LabelledPoints::Entry> entries;
  for (std::size_t i = 0; i < count; ++i) {
    entries.clear();
    for (std::uint32_t k = 0; k < dimension; ++k) {
      if (bits.bits(2) > 0) entries.push_back({k, static_cast<float>(fraction(bits) - 0.5)});
    }
    points.add(entries, static_cast<std::uint8_t>(bits.bits(1)),
               static_cast<std::uint32_t>(1 + bits.bits(3)));
  }
  return points;
}

LinearTask random_task(SeededBits& bits, std::size_t dimension) {
  LinearTask task;
  task.dimension = dimension;
  task.reach = static_cast<double>(dimension);
  task.positive = 1;
  task.loss =
      bits.bits(1) == 0 ? SmoothLoss::logistic() : SmoothLoss::huber(0.01 + fraction(bits) / 2);
  task.lambda = 1 + 20 * fraction(bits);
  return task;
}

// The objective, written down once more and as plainly as possible.
double objective_at(const TiltedObjective& objective, const std::vector<double>& w) {
  const LinearTask& task = objective.task;
  double sum = 0;
  for (std::size_t i = 0; i < objective.points.count(); ++i) {
    double z = 0;
    for (const auto& e : objective.points.entries(i)) z += w[e.at] * static_cast<double>(e.value);
    if (objective.points.label(i) != task.positive) z = -z;
    const double h = task.loss.width();
    double loss = std::log(1 + std::exp(-z));
    if (!task.loss.is_logistic()) {
      loss = z > 1 + h ? 0 : z < 1 - h ? 1 - z : (1 + h - z) * (1 + h - z) / (4 * h);
    }
    sum += objective.points.rows(i) * loss;
  }
  for (std::size_t k = 0; k < w.size(); ++k) {
    sum += task.lambda / 2 * w[k] * w[k] + objective.tilt[k] * w[k];
  }
  return sum;
}

}  // namespace

TEST_CASE("Newton's minimum is that of a brute-force search in the plane") {
  SeededBits bits(1);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const LabelledPoints points = random_points(bits, 2, bits.bits(5));
    const LinearTask task = random_task(bits, 2);
    const std::vector<double> tilt{8 * fraction(bits) - 4, 8 * fraction(bits) - 4};
    const TiltedObjective objective{points, task, tilt};
    // Ever finer rasters around the best place so far.
    std::vector<double> best{0, 0};
    for (double step = 1; step > 1e-7; step /= 3) {
      const std::vector<double> middle = best;
      for (int x = -10; x <= 10; ++x) {
        for (int y = -10; y <= 10; ++y) {
          const std::vector<double> there{middle[0] + x * step, middle[1] + y * step};
          if (objective_at(objective, there) < objective_at(objective, best)) best = there;
        }
      }
    }
    const std::vector<double> found = minimise_by_newton(objective, 1e-10, {0, 0});
    CHECK(objective_at(objective, found) <= objective_at(objective, best) + 1e-12);
    CHECK(found[0] == doctest::Approx(best[0]).epsilon(1e-4));
    CHECK(found[1] == doctest::Approx(best[1]).epsilon(1e-4));
  }
}

TEST_CASE("the kernel's certificate is reached in many dimensions, from any start") {
  SeededBits bits(2);
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    const std::size_t dimension = 1 + bits.bits(6);
    const LabelledPoints points = random_points(bits, dimension, 20 * bits.bits(6));
    const LinearTask task = random_task(bits, dimension);
    std::vector<double> tilt(dimension);
    std::vector<double> start(dimension);
    for (double& entry : tilt) entry = 2'000 * (fraction(bits) - 0.5);
    for (double& entry : start) entry = 2'000 * (fraction(bits) - 0.5);
    const TiltedObjective objective{points, task, tilt};
    const double tolerance = std::ldexp(task.lambda, -28);
    std::vector<FineWeight> found;
    for (const double weight : start) found.push_back({weight, 0});
    found = minimise_finely(objective, tolerance / 2, found, round % 3);
    CHECK(gradient_bound(objective, found) <= tolerance);
  }
}

// A program that stops because it cannot get there tells something about the rows.
namespace {

// Asks as the kernel does: the attempts that it took, 0 if the certificate was never reached.
int attempts_to_certify(const TiltedObjective& objective) {
  const double tolerance = std::ldexp(objective.task.lambda, -28);
  std::vector<FineWeight> found(objective.task.dimension);
  for (int attempt = 0; attempt < 8; ++attempt) {
    found = minimise_finely(objective, std::ldexp(tolerance, -1 - attempt), found, attempt);
    if (fine_gradient_bound(objective, found) <= tolerance) return attempt + 1;
  }
  return 0;
}

}  // namespace

TEST_CASE("the certificate is reached with four thousand million rows, and the least lambda") {
  SeededBits bits(3);
  for (const SmoothLoss& loss :
       {SmoothLoss::logistic(), SmoothLoss::huber(0.001), SmoothLoss::huber(0.5)}) {
    for (int round = 0; round < 6; ++round) {
      CAPTURE(loss.width());
      CAPTURE(round);
      const std::size_t dimension = 2 + bits.bits(3);
      LinearTask task = random_task(bits, dimension);
      task.loss = loss;
      task.lambda = 1;
      LabelledPoints points(dimension, task.reach);
      const LabelledPoints few = random_points(bits, dimension, 60);
      for (std::size_t i = 0; i < few.count(); ++i) {
        points.add(
            few.entries(i), few.label(i),
            static_cast<std::uint32_t>(1 + bits.bits(27 - 4 * static_cast<unsigned>(round))));
      }
      std::vector<double> tilt(dimension);
      for (double& entry : tilt) entry = 2'000 * (fraction(bits) - 0.5);
      const TiltedObjective objective{points, task, tilt};
      CHECK(attempts_to_certify(objective) > 0);
    }
  }
}

// Where the loss bends in few places only, the gradient grows for hundreds of steps before it
// falls.
TEST_CASE("the certificate is reached with a narrow loss, many rows and many categories") {
  SeededBits bits(4);
  constexpr std::uint32_t attributes = 10;
  constexpr std::uint32_t categories = 5;
  for (const double width : {0.001, 0.01}) {
    for (int round = 0; round < 24; ++round) {
      CAPTURE(width);
      CAPTURE(round);
      LinearTask task;
      task.dimension = attributes * categories;
      task.reach = std::sqrt(attributes);
      task.positive = 1;
      task.loss = SmoothLoss::huber(width);
      task.lambda = 1;
      LabelledPoints points(task.dimension, task.reach);
      std::vector<double> truth(task.dimension);
      for (double& weight : truth) weight = 2 * fraction(bits) - 1;
      for (int i = 0; i < 150; ++i) {
        std::vector<LabelledPoints::Entry> entries;
        double sum = 6 * fraction(bits) - 3;
        for (std::uint32_t a = 0; a < attributes; ++a) {
          const auto at = a * categories + static_cast<std::uint32_t>(fraction(bits) * categories);
          entries.push_back({at, 0.316F});
          sum += truth[at];
        }
        const double most_bits = round % 2 == 0 ? 12 : 24;
        points.add(entries, sum > 0 ? 1 : 0,
                   static_cast<std::uint32_t>(1 + std::exp2(most_bits * fraction(bits))));
      }
      const std::vector<double> tilt(task.dimension, 0.0);
      CHECK(attempts_to_certify({points, task, tilt}) > 0);
    }
  }
}
