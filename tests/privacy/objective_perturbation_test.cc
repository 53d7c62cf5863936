#include "privpfc/privacy/objective_perturbation.h"

#include <doctest/doctest.h>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <functional>

#include "privpfc/privacy/kernel.h"
#include "support/chi_square.h"
#include "support/effort.h"
#include "support/seeded_bits.h"
#include "support/stops.h"
#include "support/test_budget.h"

using namespace privpfc;

namespace {

constexpr double kSignificance = 1e-6;

struct Row {
  std::vector<double> x;
  std::uint8_t label;
};

LabelledPoints points_of(const std::vector<Row>& rows, std::size_t dimension, double reach) {
  LabelledPoints points(dimension, reach);
  for (const Row& row : rows) {
    std::vector<LabelledPoints::Entry> entries;
    for (std::size_t k = 0; k < row.x.size(); ++k) {
      entries.push_back({static_cast<std::uint32_t>(k), static_cast<float>(row.x[k])});
    }
    points.add(entries, row.label, 1);
  }
  return points;
}

LinearTask task_of(std::size_t dimension, double reach, SmoothLoss loss, double lambda) {
  LinearTask task;
  task.dimension = dimension;
  task.reach = reach;
  task.positive = 1;
  task.loss = loss;
  task.lambda = lambda;
  return task;
}

// -b as a function of the weights: lambda w + sum of slopes.
std::vector<double> pull(const LabelledPoints& points, const LinearTask& task,
                         const std::vector<double>& w) {
  std::vector<double> sum(w.size());
  for (std::size_t k = 0; k < w.size(); ++k) sum[k] = task.lambda * w[k];
  for (std::size_t i = 0; i < points.count(); ++i) {
    const double side = points.label(i) == task.positive ? 1 : -1;
    double product = 0;
    for (const auto& e : points.entries(i)) product += w[e.at] * static_cast<double>(e.value);
    const double slope = static_cast<double>(task.loss.slope(side * product));
    for (const auto& e : points.entries(i)) {
      sum[e.at] += points.rows(i) * side * slope * static_cast<double>(e.value);
    }
  }
  return sum;
}

// For one dimension: the gradient rises, so its zero is found by halving.
std::vector<FineWeight> bisect(const TiltedObjective& objective, double, std::vector<FineWeight>,
                               int) {
  double low = -1e5;
  double high = 1e5;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    const double gradient = pull(objective.points, objective.task, {middle})[0] + objective.tilt[0];
    (gradient > 0 ? high : low) = middle;
  }
  return {{low, 0}};
}

std::vector<FineWeight> do_nothing(const TiltedObjective&, double, std::vector<FineWeight> start,
                                   int) {
  return start;
}

// Without points, the minimum is known.
std::vector<FineWeight> minimum_without_points(const TiltedObjective& objective, double,
                                               std::vector<FineWeight> start, int) {
  for (std::size_t k = 0; k < start.size(); ++k) {
    start[k] = {-objective.tilt[k] / objective.task.lambda, 0};
  }
  return start;
}

double laplace_below(double x, double rate) {
  return x < 0 ? std::exp(rate * x) / 2 : 1 - std::exp(-rate * x) / 2;
}

// P[low < w* <= high] in one dimension, where both noises are Laplace: w* falls with b.
double mass(const LabelledPoints& points, const LinearTask& task, double rate, double low,
            double high) {
  const auto below = [&](double w) { return laplace_below(pull(points, task, {w})[0], rate); };
  return below(high) - below(low);
}

// The largest loss between two tables over many intervals of weights, by the exact masses.
double worst_loss(const LinearTask& task, const LabelledPoints& a, const LabelledPoints& b,
                  double rate) {
  double worst = 0;
  for (double w = -6; w < 6; w += 0.01) {
    const double p = mass(a, task, rate, w, w + 0.01);
    const double q = mass(b, task, rate, w, w + 0.01);
    if (p > 1e-12 && q > 1e-12) worst = std::max(worst, std::abs(std::log(p / q)));
  }
  return worst;
}

double determinant(const LabelledPoints& points, const LinearTask& task, double x, double y) {
  constexpr double kStep = 1e-6;
  const auto px = pull(points, task, {x + kStep, y});
  const auto mx = pull(points, task, {x - kStep, y});
  const auto py = pull(points, task, {x, y + kStep});
  const auto my = pull(points, task, {x, y - kStep});
  const double a = (px[0] - mx[0]) / (2 * kStep), b = (py[0] - my[0]) / (2 * kStep);
  const double c = (px[1] - mx[1]) / (2 * kStep), d = (py[1] - my[1]) / (2 * kStep);
  return a * d - b * c;
}

using Length = std::function<double(const std::vector<double>&)>;

double worst_loss_in_the_plane(const LinearTask& task, const LabelledPoints& a,
                               const LabelledPoints& b, double rate, const Length& length) {
  const double step = kFullPower ? 0.103 : 0.721;
  double worst = 0;
  for (double x = -8; x < 8; x += step) {
    for (double y = -8; y < 8; y += step) {
      const double loss = rate * (length(pull(b, task, {x, y})) - length(pull(a, task, {x, y}))) +
                          std::log(determinant(a, task, x, y) / determinant(b, task, x, y));
      worst = std::max(worst, std::abs(loss));
    }
  }
  return worst;
}

const Length kEuclid = [](const std::vector<double>& v) { return std::hypot(v[0], v[1]); };
const Length kSum = [](const std::vector<double>& v) { return std::abs(v[0]) + std::abs(v[1]); };

std::vector<std::vector<Row>> tables_in_the_plane() {
  return {{}, {{{0.6, 0.8}, 1}}, {{{1, 0}, 0}, {{0, 1}, 1}, {{-0.7, 0.7}, 1}}};
}

}  // namespace

TEST_CASE("points are shortened to the unit ball and to the reach, whatever is added") {
  SeededBits bits(1);
  for (int round = 0; round < 2'000; ++round) {
    const std::size_t dimension = 1 + bits.bits(5);
    const double reach = 0.5 + static_cast<double>(bits.bits(4));
    LabelledPoints points(dimension, reach);
    std::vector<LabelledPoints::Entry> entries;
    const double size = std::ldexp(1.0, static_cast<int>(bits.bits(6)) - 40);
    for (std::uint32_t k = 0; k < dimension; ++k) {
      entries.push_back(
          {k, static_cast<float>((static_cast<double>(bits.bits(30)) - 0x1p29) * size)});
    }
    points.add(entries, 0, 3);
    long double squares = 0;
    long double sum = 0;
    for (const auto& e : points.entries(0)) {
      squares += static_cast<long double>(e.value) * static_cast<long double>(e.value);
      sum += std::abs(static_cast<long double>(e.value));
    }
    CHECK(squares <= 1);
    CHECK(sum <= static_cast<long double>(reach));
    CHECK(points.rows(0) == 3);
  }
  LabelledPoints points(2, 2);
  const std::vector<LabelledPoints::Entry> half{{0, 0.5F}};
  points.add(half, 0, 1);
  CHECK(points.entries(0)[0].value == 0.5F);  // what is short enough stays as it is
  const std::vector<LabelledPoints::Entry> twice{{0, 0.7F}, {0, 0.7F}};
  CHECK(stops_the_program([&] { points.add(twice, 0, 1); }));
  const std::vector<LabelledPoints::Entry> outside{{2, 0.7F}};
  CHECK(stops_the_program([&] { points.add(outside, 0, 1); }));
  const std::vector<LabelledPoints::Entry> not_a_number{{0, std::nanf("")}};
  CHECK(stops_the_program([&] { points.add(not_a_number, 0, 1); }));
}

TEST_CASE("the noise has its law (chi-square, 1e-6), and a scale that is 2 % off is rejected") {
  SeededBits bits(2);
  constexpr std::size_t kBins = 16;
  const auto fits = [](const std::vector<double>& fractions) {
    std::vector<std::uint64_t> seen(kBins);
    for (const double f : fractions) {
      ++seen[std::min(kBins - 1, static_cast<std::size_t>(f * double{kBins}))];
    }
    return !chi_square(seen, std::vector<double>(kBins, 1.0 / kBins), kSignificance).rejects();
  };
  struct Case {
    std::size_t dimension;
    double rate;
  };
  for (const Case& c : {Case{1, 3}, Case{2, 3}, Case{5, 3}, Case{3, 0.01}, Case{3, 40}}) {
    const std::size_t dimension = c.dimension;
    const double rate = c.rate;
    CAPTURE(dimension);
    CAPTURE(rate);
    std::vector<double> entries;
    std::vector<double> lengths;
    std::vector<double> angles;
    for (std::size_t i = 0; i < draws(1'000'000) / dimension; ++i) {
      const Tilt laplace = draw_laplace_tilt(bits, dimension, rate);
      entries.insert(entries.end(), laplace.values.begin(), laplace.values.end());
      const Tilt tilt = draw_spherical_tilt(bits, dimension, rate);
      double squares = 0;
      for (const double b : tilt.values) squares += b * b;
      lengths.push_back(std::sqrt(squares));
      if (dimension == 2) {
        angles.push_back(std::atan2(tilt.values[1], tilt.values[0]) / 6.2831853071795864 + 0.5);
      }
      REQUIRE((tilt.error + laplace.error) * rate < 3e-9);
    }
    if (dimension == 2) CHECK(fits(angles));
    for (const double off : {1.0, 1.02}) {
      if (off != 1 && !kFullPower) continue;
      const boost::math::gamma_distribution<double> gamma(static_cast<double>(dimension),
                                                          off / rate);
      std::vector<double> a, b;
      for (const double entry : entries) a.push_back(laplace_below(entry, rate / off));
      for (const double length : lengths) b.push_back(boost::math::cdf(gamma, length));
      CHECK(fits(a) == (off == 1));
      CHECK(fits(b) == (off == 1));
    }
  }
}

TEST_CASE("the gradient is never longer than its bound, and the bound is tight") {
  SeededBits bits(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<Row> rows;
    for (int i = 0; i < 20; ++i) {
      rows.push_back({{static_cast<double>(bits.bits(10)) / 512 - 1,
                       static_cast<double>(bits.bits(10)) / 512 - 1},
                      static_cast<std::uint8_t>(bits.bits(1))});
    }
    const LabelledPoints points = points_of(rows, 2, 2);
    const LinearTask task =
        task_of(2, 2, round % 2 == 0 ? SmoothLoss::logistic() : SmoothLoss::huber(0.05), 3);
    const std::vector<double> tilt{1.5, -0.25};
    const std::vector<double> w{static_cast<double>(bits.bits(10)) / 256 - 2, 0.5};
    std::vector<double> gradient = pull(points, task, w);
    const double length = std::hypot(gradient[0] + tilt[0], gradient[1] + tilt[1]);
    // A weight's second part counts as much as its first.
    const std::vector<FineWeight> fine{{w[0] - 0.25, 0.25}, {w[1], 0}};
    for (const double bound : {gradient_bound({points, task, tilt}, fine),
                               fine_gradient_bound({points, task, tilt}, fine)}) {
      CHECK(bound >= length * (1 - 1e-12));
      CHECK(bound <= length * (1 + 1e-5) + 1e-12);
    }
  }
  const LabelledPoints none(1, 1);
  const std::vector<double> zero{0};
  for (const FineWeight bad : {FineWeight{std::nan(""), 0}, {0, std::nan("")}, {1e300, 0}}) {
    const TiltedObjective objective{none, task_of(1, 1, SmoothLoss::logistic(), 1), zero};
    CHECK(gradient_bound(objective, {{bad}}) == HUGE_VAL);
    CHECK(fine_gradient_bound(objective, {{bad}}) == HUGE_VAL);
  }
}

TEST_CASE("in one dimension no interval of weights has a loss above epsilon; mutants have") {
  for (const SmoothLoss& loss : {SmoothLoss::logistic(), SmoothLoss::huber(0.05)}) {
    for (const double epsilon : {0.3, 1.0, 2.0}) {
      const double least =
          least_lambda(loss, Epsilon::from_units(static_cast<std::uint64_t>(epsilon * 1e9)));
      double worst = 0, without_slack = 0, half_the_scale = 0, small_lambda = 0;
      for (const double factor : {1.0, 3.0}) {
        const LinearTask task = task_of(1, 1, loss, factor * least);
        const double slack = std::log1p(loss.most_curvature() / task.lambda);
        for (const double rest : {0.0, 1.0, -0.4}) {
          for (const double x : {1.0, -1.0, 0.3}) {
            std::vector<Row> rows;
            if (rest != 0) rows = {{{rest}, 1}, {{rest}, 0}, {{rest}, 1}};
            const LabelledPoints fewer = points_of(rows, 1, 1);
            rows.push_back({{x}, 1});
            const LabelledPoints more = points_of(rows, 1, 1);
            const double rate = noise_rate(task, epsilon);
            worst = std::max(worst, worst_loss(task, fewer, more, rate));
            without_slack = std::max(without_slack, worst_loss(task, fewer, more, rate + slack));
            half_the_scale = std::max(half_the_scale, worst_loss(task, fewer, more, 2 * rate));
            LinearTask smaller = task;
            smaller.lambda = least / 5;
            small_lambda = std::max(small_lambda, worst_loss(smaller, fewer, more, rate));
          }
        }
      }
      CAPTURE(epsilon);
      CHECK(worst <= epsilon);
      CHECK(worst >= 0.8 * epsilon);
      if (!loss.is_logistic()) CHECK(without_slack > epsilon);
      CHECK(half_the_scale > epsilon);
      // With few rows a larger epsilon's logistic slopes are not steep enough to show it.
      if (!loss.is_logistic() || epsilon < 1) CHECK(small_lambda > epsilon);
    }
  }
}

TEST_CASE("in the plane no density changes by more than epsilon, in either norm; mutants do") {
  const double epsilon = 1.5;
  for (const SmoothLoss& loss : {SmoothLoss::logistic(), SmoothLoss::huber(0.2)}) {
    const LinearTask task = task_of(2, 1.2, loss, 1.05 * least_lambda(loss, eps("1.5")));
    const double rate = noise_rate(task, epsilon);
    const double slack = std::log1p(loss.most_curvature() / task.lambda);
    double euclid = 0, sum = 0, without_slack = 0, without_reach = 0;
    for (const std::vector<Row>& table : tables_in_the_plane()) {
      for (const std::vector<double>& x : {std::vector<double>{1, 0}, {0.6, 0.6}, {-0.2, 0.97}}) {
        std::vector<Row> longer = table;
        longer.push_back({x, 1});
        const LabelledPoints a = points_of(table, 2, 1.2);
        const LabelledPoints b = points_of(longer, 2, 1.2);
        euclid = std::max(euclid, worst_loss_in_the_plane(task, a, b, rate, kEuclid));
        sum = std::max(sum, worst_loss_in_the_plane(task, a, b, rate / 1.2, kSum));
        without_slack =
            std::max(without_slack, worst_loss_in_the_plane(task, a, b, rate + slack, kEuclid));
        without_reach = std::max(without_reach, worst_loss_in_the_plane(task, a, b, rate, kSum));
      }
    }
    CHECK(euclid <= epsilon + 1e-6);
    CHECK(sum <= epsilon + 1e-6);
    if (!kFullPower) continue;
    CHECK(euclid >= 0.8 * epsilon);
    if (!loss.is_logistic()) CHECK(without_slack > epsilon + 1e-3);
    CHECK(without_reach > epsilon + 1e-3);
  }
}

TEST_CASE("the released weights have their law (chi-square, 1e-6), in both forms") {
  SeededBits bits(4);
  const std::vector<Row> rows{{{1}, 1}, {{0.5}, 0}, {{1}, 1}};
  const LabelledPoints points = points_of(rows, 1, 1);
  const LinearTask task = task_of(1, 1, SmoothLoss::logistic(), 2);
  const std::vector<double> none{0};
  const double minimum = bisect({points, task, none}, 0, {}, 0)[0].high;
  for (const Perturb perturb : {Perturb::kObjective, Perturb::kOutput}) {
    std::vector<double> released;
    for (std::size_t i = 0; i < draws(60'000); ++i) {
      released.push_back(std::ldexp(
          static_cast<double>(perturbed_weights(bits, points, task, bisect, perturb, eps("1"))[0]),
          -kWeightBits));
    }
    const auto fits = [&](double factor) {
      const double rate = factor * (perturb == Perturb::kObjective ? noise_rate(task, 0.99) : 0.99);
      std::vector<std::uint64_t> seen(50);
      for (const double w : released) {
        const double below = perturb == Perturb::kObjective
                                 ? laplace_below(pull(points, task, {w})[0], rate)
                                 : laplace_below((w - minimum) * task.lambda, rate);
        ++seen[std::min<std::size_t>(49, static_cast<std::size_t>(below * 50))];
      }
      return !chi_square(seen, std::vector<double>(50, 0.02), kSignificance).rejects();
    };
    CHECK(fits(1));
    if (kFullPower) {
      CHECK_FALSE(fits(1.08));
      CHECK_FALSE(fits(2));  // half the scale
    }
  }
}

TEST_CASE("the noise that pays for rounding has its law (chi-square, 1e-6)") {
  // So large a lambda leaves weights of a lattice unit: what is released is the last noise alone,
  // in coarser units. One row may move each of the entries by 6 units, for a hundredth of epsilon.
  constexpr std::size_t kDimension = 8;
  constexpr std::size_t kBins = 40;
  constexpr double kLatticeUnits = 0x1p28;
  const LabelledPoints none(kDimension, 3);
  const LinearTask task = task_of(kDimension, 3, SmoothLoss::logistic(), 1e9);
  SeededBits bits(6);
  std::vector<std::int64_t> released;
  for (std::size_t i = 0; i < draws(40'000) / kDimension; ++i) {
    for (const std::int64_t unit : perturbed_weights(bits, none, task, minimum_without_points,
                                                     Perturb::kObjective, eps("1"))) {
      released.push_back(unit);
    }
  }
  const auto fits = [&](double scale) {
    const double rate = kLatticeUnits / std::ldexp(1.0, kWeightBits) / scale;
    const auto middle = static_cast<std::int64_t>(kBins / 2);
    std::vector<double> law;
    std::vector<std::uint64_t> seen(kBins);
    for (std::int64_t k = 0; k < 2 * middle; ++k) {
      const auto at = static_cast<double>(k - middle);
      const double low = k == 0 ? 0 : laplace_below(at - 0.5, rate);
      const double high = k + 1 == 2 * middle ? 1 : laplace_below(at + 0.5, rate);
      law.push_back(high - low);
    }
    for (const std::int64_t unit : released) {
      ++seen[static_cast<std::size_t>(std::clamp(unit + middle, std::int64_t{0}, 2 * middle - 1))];
    }
    return !chi_square(seen, law, kSignificance).rejects();
  };
  constexpr double kScale = 6 * kDimension / 0.01;
  CHECK(fits(kScale));
  if (kFullPower) CHECK_FALSE(fits(1.1 * kScale));
}

TEST_CASE("noise on many weights is made for the reach, or for the length (chi-square, 1e-6)") {
  constexpr std::size_t kDimension = 9;
  constexpr std::size_t kBins = 50;
  SeededBits bits(5);
  // A short reach: noise on each entry. A long one: noise of a random length, which no reach makes
  // longer.
  for (const double reach : {1.8, 3.0}) {
    CAPTURE(reach);
    const LabelledPoints none(kDimension, reach);
    const LinearTask task = task_of(kDimension, reach, SmoothLoss::logistic(), 2);
    std::vector<double> released;
    for (std::size_t i = 0; i < draws(90'000) / kDimension; ++i) {
      double squares = 0;
      for (const std::int64_t unit : perturbed_weights(bits, none, task, minimum_without_points,
                                                       Perturb::kObjective, eps("1"))) {
        const double tilt = task.lambda * std::ldexp(static_cast<double>(unit), -kWeightBits);
        squares += tilt * tilt;
        if (reach < 2) released.push_back(tilt);
      }
      if (reach > 2) released.push_back(std::sqrt(squares));
    }
    const auto fits = [&](double rate) {
      const boost::math::gamma_distribution<double> length(kDimension, 1 / rate);
      std::vector<std::uint64_t> seen(kBins);
      for (const double value : released) {
        const double below =
            reach < 2 ? laplace_below(value, rate / reach) : boost::math::cdf(length, value);
        ++seen[std::min(kBins - 1, static_cast<std::size_t>(below * double{kBins}))];
      }
      return !chi_square(seen, std::vector<double>(kBins, 1.0 / kBins), kSignificance).rejects();
    };
    const double rate = noise_rate(task, 0.99);
    CHECK(fits(rate));
    if (kFullPower) CHECK_FALSE(fits(1.1 * rate));
  }
}

TEST_CASE(
    "audit: empty against one row, seeded; the lower bound is near epsilon, not above (1e-6)") {
  // A large lambda leaves nearly all of epsilon to the noise.
  const LinearTask task = task_of(1, 1, SmoothLoss::logistic(), 60);
  const LabelledPoints empty(1, 1);
  const LabelledPoints one = points_of({{{1}, 1}}, 1, 1);
  for (const Perturb perturb : {Perturb::kObjective, Perturb::kOutput}) {
    SeededBits bits(5);
    const std::size_t runs = draws(100'000);
    // The event: more than what the noise-free weight of the one row is.
    const std::vector<double> none{0};
    const double threshold = bisect({one, task, none}, 0, {}, 0)[0].high;
    const auto count = [&](const LabelledPoints& points) {
      std::size_t hits = 0;
      for (std::size_t i = 0; i < runs; ++i) {
        const auto w = perturbed_weights(bits, points, task, bisect, perturb, eps("1"))[0];
        hits += std::ldexp(static_cast<double>(w), -kWeightBits) > threshold ? 1 : 0;
      }
      return static_cast<double>(hits);
    };
    using boost::math::beta_distribution;
    const double n = static_cast<double>(runs);
    const double with = count(one);
    const double without = count(empty);
    const double low = quantile(beta_distribution<double>(with, n - with + 1), kSignificance / 2);
    const double high =
        quantile(beta_distribution<double>(without + 1, n - without), 1 - kSignificance / 2);
    CHECK(std::log(low / high) < 1);
    // The slope at 0 is 1/2, so that a row moves the noise by a half only.
    if (kFullPower) CHECK(std::log(low / high) > 0.35);
  }
}

TEST_CASE("weights that do not minimise are never released") {
  const LabelledPoints points = points_of({{{1}, 1}}, 1, 1);
  const LinearTask task = task_of(1, 1, SmoothLoss::logistic(), 2);
  CHECK(stops_the_program([&] {
    SeededBits bits(6);
    perturbed_weights(bits, points, task, do_nothing, Perturb::kObjective, eps("1"));
  }));
  const Minimiser wrong_size = [](const TiltedObjective&, double, std::vector<FineWeight>, int) {
    return std::vector<FineWeight>{};
  };
  CHECK(stops_the_program([&] {
    SeededBits bits(6);
    perturbed_weights(bits, points, task, wrong_size, Perturb::kObjective, eps("1"));
  }));
}

TEST_CASE("a lambda below the least, or points of another shape, stop the program") {
  const LabelledPoints points(1, 1);
  const double least = least_lambda(SmoothLoss::huber(0.05), eps("0.5"));
  CHECK(std::log1p(10 / least) == doctest::Approx(0.99 * 0.5 / 2));
  CHECK(least_lambda(SmoothLoss::logistic(), eps("0.5")) == doctest::Approx(1 / (0.99 * 0.5)));
  CHECK(least_lambda(SmoothLoss::logistic(), eps("5")) == 1);
  for (const double lambda : {0.9 * least, 0.0, -1.0, std::nan("")}) {
    CHECK(stops_the_program([&] {
      SeededBits bits(7);
      Kernel(bits).perturbed_minimum(Private<LabelledPoints>(points),
                                     task_of(1, 1, SmoothLoss::huber(0.05), lambda), bisect,
                                     TestBudget::of("0.5"));
    }));
  }
  for (const LinearTask& task :
       {task_of(2, 1, SmoothLoss::huber(0.05), 100), task_of(1, 2, SmoothLoss::huber(0.05), 100)}) {
    CHECK(stops_the_program([&] {
      SeededBits bits(7);
      Kernel(bits).perturbed_output(Private<LabelledPoints>(points), task, bisect,
                                    TestBudget::of("0.5"));
    }));
  }
}
