#include "privpfc/privacy/objective_perturbation.h"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cfloat>
#include <limits>

#include "privpfc/base/contract.h"
#include "privpfc/privacy/bernoulli_exp.h"
#include "privpfc/privacy/discrete_laplace.h"
#include "privpfc/privacy/noisy_counts.h"

namespace privpfc {

namespace {

static_assert(LDBL_MANT_DIG >= 64, "gradients are checked with 64 bits or more");

constexpr int kLatticeBits = 28;  // weights are rounded to 2^-28 before the last noise
constexpr double kMostWeight = 0x1p24;
constexpr int kMostAttempts = 8;

// A hundredth of epsilon pays for the inexact minimum.
struct Parts {
  double noise;
  Epsilon rounding;
};
Parts parts_of(Epsilon epsilon) {
  const std::vector<Epsilon> parts = epsilon.split(std::vector<std::uint64_t>{99, 1});
  return {static_cast<double>(parts[0].units()) / Epsilon::kUnitsPerOne, parts[1]};
}

double length(std::span<const double> vector) {
  double squares = 0;
  for (const double entry : vector) squares += entry * entry;
  return std::sqrt(squares);
}

// An exponential variable of mean 1, cut off after 124 binary places and then rounded.
double draw_exponential(BitSource& bits) {
  const Uint128 high = sample_geometric(bits, Decay{1, std::uint64_t{1} << 62});
  std::uint64_t low = 0;
  do {
    low = bits.bits(62);
  } while (!bernoulli_exp(bits, low, Uint128{1} << 124));
  return std::ldexp(static_cast<double>(high), -62) + std::ldexp(static_cast<double>(low), -124);
}

// Normal variables, two by two; `radius` is the length of all pairs, the unused half included.
struct Normals {
  std::vector<double> values;
  double radius = 0;
};

Normals draw_normals(BitSource& bits, std::size_t count) {
  constexpr double kTurn = 6.283185307179586476925286766559;
  Normals normals;
  double squares = 0;
  while (normals.values.size() < count) {
    const double square = 2 * draw_exponential(bits);
    const double angle = kTurn * std::ldexp(static_cast<double>(bits.bits(64)), -64);
    normals.values.push_back(std::sqrt(square) * std::cos(angle));
    normals.values.push_back(std::sqrt(square) * std::sin(angle));
    squares += square;
  }
  normals.values.resize(count);
  normals.radius = std::sqrt(squares);
  return normals;
}

// In units of 2^-64, cut off.
Int128 in_units(long double value) {
  return static_cast<Int128>(std::ldexp(value, 64));
}
template <typename Real>
Int128 in_units(const Real& value) {
  const auto high = static_cast<long double>(value);
  return in_units(high) + in_units(static_cast<long double>(value - Real(high)));
}

template <typename Real>
double bound_with(const TiltedObjective& objective, std::span<const FineWeight> fine_weights) {
  const LabelledPoints& points = objective.points;
  const LinearTask& task = objective.task;
  std::vector<Real> weights;
  std::vector<Int128> sums;  // integers, so that the sum over the rows is exact, in whatever order
  double squares = 0;
  for (const FineWeight& weight : fine_weights) {
    const double size = std::abs(weight.high) + std::abs(weight.low);
    // What is not a number is not small.
    if (!(size < 0x1p28)) return HUGE_VAL;
    squares += size * size;
    weights.push_back(Real(weight.high) + Real(weight.low));
    const Real tilted = Real(task.lambda) * weights.back() + Real(objective.tilt[sums.size()]);
    sums.push_back(in_units(tilted));
  }
  double rows = 0;
  double steps = 8;
  for (std::size_t i = 0; i < points.count(); ++i) {
    const auto entries = points.entries(i);
    const int side = points.label(i) == task.positive ? 1 : -1;
    Real product = 0;
    for (const auto& entry : entries) product += weights[entry.at] * Real(entry.value);
    const Real pull = side * task.loss.slope<Real>(side * product) * points.rows(i);
    for (const auto& entry : entries) sums[entry.at] += in_units(Real(pull * Real(entry.value)));
    rows += points.rows(i);
    steps = std::max(steps, static_cast<double>(entries.size()) + 8);
  }
  require(rows < 0x1p40, "at most 2^40 rows");
  long double length_squared = 0;
  for (const Int128 sum : sums) {
    const long double entry = std::ldexp(static_cast<long double>(sum), -64);
    length_squared += entry * entry;
  }
  const double size = std::sqrt(squares);
  const double cuts = static_cast<double>(points.count() + sums.size()) * steps;
  const double unit = std::ldexp(1.0, -std::numeric_limits<Real>::digits);
  const double errors = 4 * steps * unit * rows * (1 + task.loss.most_curvature() * size) +
                        64 * unit * (rows + task.lambda * size + length(objective.tilt)) +
                        0x1p-64 * cuts;
  return (static_cast<double>(std::sqrt(length_squared)) + errors) * (1 + 0x1p-20);
}

// Weights whose gradient is no longer than lambda 2^-kLatticeBits, `error` included. Never returns
// others.
std::vector<FineWeight> certified_minimum(const TiltedObjective& objective, double error,
                                          Minimiser minimise) {
  const double tolerance = std::ldexp(objective.task.lambda, -kLatticeBits);
  std::vector<FineWeight> weights(objective.task.dimension);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    weights = minimise(objective, std::ldexp(tolerance, -1 - attempt), std::move(weights), attempt);
    require(weights.size() == objective.task.dimension, "a minimiser keeps the dimension");
    if (gradient_bound(objective, weights) + error <= tolerance) return weights;
    if (fine_gradient_bound(objective, weights) + error <= tolerance) return weights;
  }
  require(false, "the minimum was not found: nothing is released");
  return weights;
}

}  // namespace

SmoothLoss SmoothLoss::huber(double width) {
  require(0.001 <= width && width <= 1, "the width of a Huber loss lies between 0.001 and 1");
  return SmoothLoss(width);
}

double least_lambda(const SmoothLoss& loss, Epsilon epsilon) {
  const double share = parts_of(epsilon).noise;
  const double least =
      loss.is_logistic() ? 1 / share : loss.most_curvature() / std::expm1(share / 2);
  return std::max(1.0, least * (1 + 0x1p-20));
}

double noise_rate(const LinearTask& task, double epsilon) {
  const double slack =
      task.loss.is_logistic() ? 0 : std::log1p(task.loss.most_curvature() / task.lambda);
  // A little less, so that no rounding makes it more.
  return (epsilon - slack) * (1 - 0x1p-40);
}

Tilt draw_laplace_tilt(BitSource& bits, std::size_t dimension, double rate) {
  Tilt tilt;
  for (std::size_t k = 0; k < dimension; ++k) {
    const double size = draw_exponential(bits) / rate;
    tilt.values.push_back(bits.bits(1) == 1 ? -size : size);
  }
  tilt.error = 0x1p-50 * (length(tilt.values) + static_cast<double>(dimension) / rate);
  return tilt;
}

Tilt draw_spherical_tilt(BitSource& bits, std::size_t dimension, double rate) {
  const Normals direction = draw_normals(bits, dimension);
  const Normals size = draw_normals(bits, dimension + 1);
  Tilt tilt;
  const double factor = length(size.values) / rate;
  for (const double entry : direction.values) tilt.values.push_back(factor * entry);
  const double width = std::sqrt(static_cast<double>(dimension + 1));
  tilt.error = 0x1p-46 * (direction.radius + width) * (size.radius + width) / rate;
  return tilt;
}

double gradient_bound(const TiltedObjective& objective, std::span<const FineWeight> weights) {
  return bound_with<long double>(objective, weights);
}

double fine_gradient_bound(const TiltedObjective& objective, std::span<const FineWeight> weights) {
  return bound_with<boost::multiprecision::cpp_bin_float_quad>(objective, weights);
}

std::vector<std::int64_t> perturbed_weights(BitSource& bits, const LabelledPoints& points,
                                            const LinearTask& task, Minimiser minimise,
                                            Perturb perturb, Epsilon epsilon) {
  require(points.dimension() == task.dimension && points.reach() == task.reach,
          "the points are not those of the task");
  const Parts parts = parts_of(epsilon);
  const bool in_objective = perturb == Perturb::kObjective;
  require(parts.rounding > Epsilon() && std::isfinite(task.lambda) && task.lambda >= 1 &&
              (!in_objective || task.lambda >= least_lambda(task.loss, epsilon) * (1 - 0x1p-30)),
          "lambda is too small for this epsilon");
  const double rate = in_objective ? noise_rate(task, parts.noise) : parts.noise * (1 - 0x1p-40);
  // One row moves the gradient by at most 1 in length and by at most `reach` in the sum of its
  // entries: the noise may be made for either, and which has the smaller variance is public.
  const double dimension = static_cast<double>(task.dimension);
  const bool by_entries = in_objective && 2 * task.reach * task.reach < dimension + 1;
  const Tilt tilt = by_entries ? draw_laplace_tilt(bits, task.dimension, rate / task.reach)
                               : draw_spherical_tilt(bits, task.dimension, rate);

  const std::vector<double> none(task.dimension, 0.0);
  const TiltedObjective objective{points, task, in_objective ? tilt.values : none};
  const std::vector<FineWeight> minimum = certified_minimum(objective, tilt.error, minimise);
  std::vector<std::int64_t> lattice;
  for (std::size_t k = 0; k < task.dimension; ++k) {
    double weight = minimum[k].high + minimum[k].low;
    if (!in_objective) weight += tilt.values[k] / task.lambda;
    weight = std::clamp(weight, -kMostWeight, kMostWeight);
    lattice.push_back(std::llround(std::ldexp(weight, kLatticeBits)));
  }
  // What was computed, rounded, is within 3 * dimension units of what should have been, on either
  // table.
  lattice = add_noise(bits, lattice, L1Sensitivity(6 * task.dimension), parts.rounding);
  constexpr int kDrop = kLatticeBits - kWeightBits;
  for (std::int64_t& weight : lattice) weight = (weight + (1 << (kDrop - 1))) >> kDrop;
  return lattice;
}

}  // namespace privpfc
